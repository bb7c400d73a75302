// Origin: the transaction that teams write themselves. A duplicate fails its condition, so they read "cancelled" as "duplicate".
import { createCounter } from '../../../hand-rolled/click-transaction.ts';
import { type CreateHandler, handleEach } from '../approach.ts';

/** Counts one message after another. */
export const createHandler: CreateHandler = (tools) => {
  const count = createCounter(tools);
  return (event) => handleEach(event, count);
};
