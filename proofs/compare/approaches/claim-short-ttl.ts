// Origin: https://matthewbonig.com/posts/idempotent-lambdas/
import { claimMessages } from './claim-message-id.ts';

/** Claims the SQS message's id for a few seconds, then does the work. */
export const createHandler = claimMessages(5);
