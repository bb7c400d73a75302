// Origin: written by hand from https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html.
import { readClick } from '../../../hand-rolled/click-transaction.ts';
import { type CreateHandler, countOnce, handleEach } from '../approach.ts';

/** Counts one message after another, with a marker for each event id. */
export const createHandler: CreateHandler = (tools) => (event) =>
  handleEach(event, async ({ body }) => countOnce(tools, readClick(body)));
