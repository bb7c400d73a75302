// Origin: hand-rolled-careful.ts, with the producer's click id in place of the event id.
import { readClick } from '../../../hand-rolled/click-transaction.ts';
import { type CreateHandler, countOnce, handleEach } from '../approach.ts';

/** Counts one message after another, with a marker for each click id. */
export const createHandler: CreateHandler = (tools) => (event) =>
  handleEach(event, async ({ body }) => {
    const click = readClick(body);
    await countOnce(tools, { ...click, eventId: click.clickId });
  });
