// Origin: https://tech-holder.blogspot.com/2026/04/how-to-implement-exactly-once.html, and many like it.
import { claim } from '../approach.ts';
/** Claims the SQS message's id for a day. */
export const createHandler = claim('MESSAGE', 86400, ({ messageId }) => messageId);
