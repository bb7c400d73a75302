// Origin: https://tech-holder.blogspot.com/2026/04/how-to-implement-exactly-once.html, and many like it.
import { readClick } from '../../../lib/hand-rolled/click-transaction.ts';
import type { CreateHandler } from '../approach.ts';
import { handleEach } from '../batch.ts';
import { putOnce } from '../put-once.ts';

/** Claims the SQS message's id for this time, then does the work. */
export const claimMessages =
  (ttlSeconds: number): CreateHandler =>
  (tools) =>
  (event) =>
    handleEach(event, async ({ messageId, body }) => {
      const click = readClick(body);
      const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
      const isClaimed = await putOnce(tools, { PK: `MESSAGE#${messageId}`, SK: 'MESSAGE', ttl });
      if (isClaimed) await tools.work(click);
    });

export const createHandler = claimMessages(24 * 60 * 60);
