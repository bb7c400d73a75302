// Origin: https://techlama.blog/posts/idempotent-event-systems.html
import { readClick } from '../../../hand-rolled/click-transaction.ts';
import { claim } from '../approach.ts';

/** Claims the business event's id for a week. */
export const createHandler = claim('EVENT', 7 * 86_400, ({ body }) => readClick(body).eventId);
