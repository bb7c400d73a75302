// Origin: https://matthewbonig.com/posts/idempotent-lambdas/
import { claim } from '../approach.ts';
/** Claims the SQS message's id for a few seconds. */
export const createHandler = claim('MESSAGE', 5, ({ messageId }) => messageId);
