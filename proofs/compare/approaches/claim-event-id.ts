// Origin: https://techlama.blog/posts/idempotent-event-systems.html
import { readClick } from '../../../lib/hand-rolled/click-transaction.ts';
import type { CreateHandler } from '../approach.ts';
import { handleEach } from '../batch.ts';
import { putOnce } from '../put-once.ts';

const ttlSeconds = 7 * 24 * 60 * 60;

/** Claims the business event's id, then does the work. */
export const createHandler: CreateHandler = (tools) => (event) =>
  handleEach(event, async ({ body }) => {
    const click = readClick(body);
    const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
    const isClaimed = await putOnce(tools, { PK: `EVENT#${click.eventId}`, SK: 'EVENT', ttl });
    if (isClaimed) await tools.work(click);
  });
