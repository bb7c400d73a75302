import { createCounter } from '../../hand-rolled/click-transaction.ts';
import type { CreateHandler } from '../compare/approach.ts';

/** The hand-rolled transaction, concurrently for all messages of a batch. */
export const createHandler: CreateHandler = (tools) => {
  const count = createCounter(tools);
  return async ({ Records }) => {
    const results = await Promise.allSettled(Records.map(count));
    const failed = Records.filter((_, index) => results[index]?.status === 'rejected');
    return {
      batchItemFailures: failed.map(({ messageId: itemIdentifier }) => ({ itemIdentifier })),
    };
  };
};
