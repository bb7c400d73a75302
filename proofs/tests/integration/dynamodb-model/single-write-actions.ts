import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../../tests/helpers/items.ts';

/** A case's actions on an idempotent call's record, outside of transactions. */
export function createSingleWriteActions(
  client: DynamoDBClient,
  TableName: string,
  prefix: string,
) {
  const recordKey = { PK: `${prefix}#record`, SK: 'RECORD' };
  const ReturnConsumedCapacity = 'TOTAL';

  /** A write's units, the existing record if its condition fails, or another error's name. */
  const tell = async (write: Promise<{ ConsumedCapacity?: { CapacityUnits?: number } }>) => {
    try {
      return (await write).ConsumedCapacity?.CapacityUnits;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) return (error as Error).name;
      return ['refused', error.Item && unmarshall(error.Item).status];
    }
  };

  const put = (attributes: Item, more: Partial<PutItemCommandInput> = {}) => {
    const Item = marshall({ ...recordKey, ...attributes });
    const command = new PutItemCommand({ TableName, Item, ReturnConsumedCapacity, ...more });
    return tell(client.send(command));
  };

  /** Begins a call as Powertools does, unless it has an unexpired record. */
  const begin = (nowMs: number) =>
    put(
      { status: 'begun again' },
      {
        ConditionExpression:
          'attribute_not_exists(#id) OR #expiry < :now OR (#status = :inprogress AND attribute_exists(#in_progress_expiry) AND #in_progress_expiry < :now_in_millis)',
        ExpressionAttributeNames: {
          '#id': 'PK',
          '#expiry': 'expiration',
          '#status': 'status',
          '#in_progress_expiry': 'in_progress_expiration',
        },
        ExpressionAttributeValues: marshall({
          ':now': nowMs / 1_000,
          ':now_in_millis': nowMs,
          ':inprogress': 'INPROGRESS',
        }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    );

  const update = (
    UpdateExpression: string,
    values: Item,
    more: Partial<UpdateItemCommandInput> = {},
  ) =>
    tell(
      client.send(
        new UpdateItemCommand({
          ...{ TableName, UpdateExpression, ReturnConsumedCapacity },
          Key: marshall(recordKey),
          ExpressionAttributeValues: marshall(values),
          ...more,
        }),
      ),
    );

  const drop = () =>
    tell(
      client.send(
        new DeleteItemCommand({ TableName, Key: marshall(recordKey), ReturnConsumedCapacity }),
      ),
    );

  return { recordKey, put, begin, update, drop };
}
