import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ApproachTools } from './approach.ts';

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
