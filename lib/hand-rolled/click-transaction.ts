import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { dayKey, linkKey } from '../keys.ts';
import type { ClickEvent } from './read-click.ts';

// CancellationReasons come in the order of TransactItems.
const markerPosition = 0;

const ttlSeconds = 7 * 24 * 60 * 60;

/** One transaction of three items: the event's marker, the link's total and the day's count. */
export function clickTransaction(TableName: string, click: ClickEvent): TransactWriteItemsCommand {
  const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
  const marker = {
    Put: {
      TableName,
      Item: marshall({ PK: `CLICK#${click.eventId}`, SK: 'CLICK', ttl }),
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  };
  return new TransactWriteItemsCommand({
    TransactItems: [marker, ...clickIncrements(TableName, click)],
  });
}

/** Two increments: the link's total, if the link exists, and the day's count. */
export function clickIncrements(TableName: string, { code, day }: ClickEvent): TransactWriteItem[] {
  const ExpressionAttributeValues = marshall({ ':one': 1 });
  return [
    {
      Update: {
        TableName,
        Key: marshall(linkKey(code)),
        UpdateExpression: 'ADD clicks :one',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues,
      },
    },
    {
      Update: {
        TableName,
        Key: marshall(dayKey(code, day)),
        UpdateExpression: 'ADD #count :one',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues,
      },
    },
  ];
}

/** True if the marker's own condition failed. Any other reason doesn't make a click a duplicate. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  return error.CancellationReasons?.[markerPosition]?.Code === 'ConditionalCheckFailed';
}
