import { TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { dayKey, linkKey } from '../keys.ts';
import type { ClickEvent } from './click-event.ts';

// Among the items, and so among the reasons of a cancellation.
const markerPosition = 0;

const ttlSeconds = 7 * 24 * 60 * 60;

/** Three items in one transaction: the event's marker, the link's sum and the day's count. */
export function clickTransaction(
  TableName: string,
  { eventId, code, day }: ClickEvent,
): TransactWriteItemsCommand {
  const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
  const ExpressionAttributeValues = marshall({ ':one': 1 });
  return new TransactWriteItemsCommand({
    TransactItems: [
      {
        Put: {
          TableName,
          Item: marshall({ PK: `CLICK#${eventId}`, SK: 'CLICK', ttl }),
          ConditionExpression: 'attribute_not_exists(PK)',
        },
      },
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
    ],
  });
}

/** Whether the marker's own condition failed; any other reason says nothing of the click. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  return error.CancellationReasons?.[markerPosition]?.Code === 'ConditionalCheckFailed';
}
