import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ClickEvent } from '../../lib/hand-rolled/click-transaction.ts';
import { dayKey, linkKey } from '../../lib/keys.ts';
import type { ApproachTools } from './approach.ts';

type Work = ApproachTools['work'];

/** Returns the work that increments the link's total and the day's count. */
export function createCountWork(client: DynamoDBClient, TableName: string): Work {
  const ExpressionAttributeValues = marshall({ ':one': 1 });
  const increment = async (key: object, attribute: string) => {
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: marshall(key),
        UpdateExpression: 'ADD #attribute :one',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues,
      }),
    );
  };
  return async ({ code, day }: ClickEvent) => {
    await increment(linkKey(code), 'clicks');
    await increment(dayKey(code, day), 'count');
  };
}
