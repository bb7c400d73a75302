import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { clickTransaction } from './click-transaction.ts';
import { readClick } from './read-click.ts';

/**
 * Counts a message in a transaction of three items. It treats every cancelled transaction as a
 * duplicate, as hand-written counters often do, so contention and throttling lose clicks.
 */
export function createCounter({
  client,
  tableName,
}: {
  client: DynamoDBClient;
  tableName: string;
}) {
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
