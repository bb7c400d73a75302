import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../../tests/helpers/items.ts';

/** A case's actions on orders, as packages/powertools-idempotency-transactional/examples/orders writes them. */
export function createOrderActions(TableName: string, prefix: string) {
  const orderKey = (name: string) => ({ PK: `${prefix}#${name}`, SK: 'ORDER' });
  const returnOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };

  const putOrder = (name: string, attributes: Item = {}): TransactWriteItem => ({
    Put: {
      TableName,
      Item: marshall({ ...orderKey(name), cents: 250, ...attributes }),
      ConditionExpression: 'attribute_not_exists(PK)',
      ...returnOld,
    },
  });

  const putOutbox = (name: string): TransactWriteItem => ({
    Put: { TableName, Item: marshall({ ...orderKey(name), cents: 250 }), ...returnOld },
  });

  const raiseTotal = (name: string, by: number): TransactWriteItem => ({
    Update: {
      TableName,
      Key: marshall(orderKey(name)),
      UpdateExpression: 'ADD #0 :0',
      ExpressionAttributeNames: { '#0': 'cents' },
      ExpressionAttributeValues: marshall({ ':0': by }),
    },
  });

  const redeem = (voucher: string, order: string): TransactWriteItem => ({
    Update: {
      TableName,
      Key: marshall(orderKey(voucher)),
      UpdateExpression: 'SET redeemedBy = :id',
      ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(redeemedBy)',
      ExpressionAttributeValues: marshall({ ':id': order }),
      ...returnOld,
    },
  });

  return { orderKey, putOrder, putOutbox, raiseTotal, redeem };
}
