// Origin: the transaction that teams write by themselves; a duplicate fails its condition, so "cancelled" is read as "duplicate".
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { readClick } from '../../../lib/hand-rolled/click-event.ts';
import { clickTransaction } from '../../../lib/hand-rolled/click-transaction.ts';
import type { ApproachTools, CreateHandler } from '../approach.ts';
import { handleEach } from '../batch.ts';

/** Counts one message in a transaction of three items. */
export function createCounter({ client, tableName }: Omit<ApproachTools, 'work'>) {
  return async ({ body }: SQSRecord): Promise<'counted' | 'duplicate'> => {
    const click = readClick(body);
    try {
      await client.send(clickTransaction(tableName, click));
      return 'counted';
    } catch (error) {
      if (error instanceof TransactionCanceledException) return 'duplicate';
      throw error;
    }
  };
}

/** Counts one message after another. */
export const createHandler: CreateHandler = (tools) => {
  const count = createCounter(tools);
  return (event) => handleEach(event, count);
};
