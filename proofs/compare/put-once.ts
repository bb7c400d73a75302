import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { readClick } from '../../lib/hand-rolled/click-transaction.ts';
import type { ApproachTools, CreateHandler } from './approach.ts';
import { handleEach } from './batch.ts';

/** Claims the key of a record for this time, then does the work. */
export function claim(
  sortKey: string,
  ttlSeconds: number,
  keyOf: (record: SQSRecord) => string,
): CreateHandler {
  return (tools) => (event) =>
    handleEach(event, async (record) => {
      const click = readClick(record.body);
      const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
      const item = { PK: `${sortKey}#${keyOf(record)}`, SK: sortKey, ttl };
      if (await putOnce(tools, item)) await tools.work(click);
    });
}

/** Puts a new item. Returns false if its key is taken. */
export async function putOnce(
  { client, tableName: TableName }: ApproachTools,
  item: object,
): Promise<boolean> {
  const ConditionExpression = 'attribute_not_exists(PK)';
  try {
    await client.send(new PutItemCommand({ TableName, Item: marshall(item), ConditionExpression }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
