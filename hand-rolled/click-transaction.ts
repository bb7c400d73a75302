import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { dayKey, linkKey } from '../lib/keys.ts';

/** A click, as a hand-rolled aggregator reads it from a message. */
export interface ClickEvent {
  /** EventBridge's id of the event. A retried PutEvents gets a new one. */
  eventId: string;
  /** Minted once by the producer. */
  clickId: string;
  code: string;
  /** The UTC day, yyyy-mm-dd. */
  day: string;
}

/** Reads a click from EventBridge's envelope. Throws if the body isn't a click. */
export function readClick(body: string): ClickEvent {
  const { id: eventId, detail } = JSON.parse(body);
  const { clickId, code, at, clicks } = detail;
  if (Array.isArray(clicks)) throw new Error('expected one click; got an envelope');
  if (typeof code !== 'string') throw new Error(`expected a code; got ${typeof code}`);
  return { eventId, clickId, code, day: at.slice(0, 'yyyy-mm-dd'.length) };
}

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
