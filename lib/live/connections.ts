import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import pLimit from 'p-limit';
import { connectionKey, watchKey } from '../keys.ts';
import type { TableAccess } from '../links/days.ts';
import { retryWhileBusy } from '../links/retry.ts';

// API Gateway closes a connection after ten idle minutes, and tells close-connection if it can.
const idleSeconds = 15 * 60;
/** API Gateway closes every connection after two hours. */
const longestSeconds = 2 * 60 * 60;
const maxAttempts = 5;
const deletesAtOnce = 10;

/** A connection of the live page. Times are in epoch seconds. */
export interface Connection {
  owner: string;
  /** When it ends at the latest: with its token, or when API Gateway closes it. */
  endsAt: number;
  /** When it counts as gone, unless it sends a message before; never after `endsAt`. */
  ttl: number;
  /** The minute of its latest message, since the epoch, and its messages of that minute. */
  minute: number;
  messages: number;
  /** The links that it watches. */
  codes?: Set<string>;
}

/** Stores a new connection, which never outlives its token. Times are in epoch seconds. */
export async function openConnection(
  { client, tableName, abortSignal }: TableAccess,
  { id, owner, expiresAt }: { id: string; owner: string; expiresAt: number },
  now: number,
): Promise<void> {
  const endsAt = Math.min(expiresAt, now + longestSeconds);
  const ttl = Math.min(endsAt, now + idleSeconds);
  const connection: Connection = { owner, endsAt, ttl, minute: minuteOf(now), messages: 0 };
  const Item = { ...connectionKey(id), ...connection };
  await client.send(new PutCommand({ TableName: tableName, Item }), { abortSignal });
}

/**
 * Counts a message of a connection and keeps the connection alive for another 15 minutes. Returns it
 * as it is then; undefined if it has ended. `now` is in epoch seconds.
 */
export async function touchConnection(
  table: TableAccess,
  id: string,
  now: number,
): Promise<Connection | undefined> {
  let guess: Guess = { isNewMinute: false, endsSoon: false };
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      // The transactions of the connection's other messages get in the way.
      return await retryWhileBusy(() => updateConnection(table, id, now, guess));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const found = error.Item && (unmarshall(error.Item) as Connection);
      if (!found || found.ttl <= now) return undefined;
      guess = {
        isNewMinute: found.minute < minuteOf(now),
        endsSoon: found.endsAt < now + idleSeconds,
      };
    }
  }
  throw new Error(
    `expected to count a message within ${maxAttempts} attempts; others came between`,
  );
}

interface Guess {
  isNewMinute: boolean;
  endsSoon: boolean;
}

/** One write is enough for most messages, so it starts from a guess of what the item holds. */
async function updateConnection(
  { client, tableName, abortSignal }: TableAccess,
  id: string,
  now: number,
  { isNewMinute, endsSoon }: Guess,
): Promise<Connection> {
  const setTtl = `#ttl = ${endsSoon ? 'endsAt' : ':idle'}`;
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName: tableName,
      Key: connectionKey(id),
      UpdateExpression: isNewMinute
        ? `SET ${setTtl}, #minute = :minute, messages = :one`
        : `SET ${setTtl} ADD messages :one`,
      ConditionExpression: [
        '#ttl > :now',
        `#minute ${isNewMinute ? '<' : '>='} :minute`,
        `endsAt ${endsSoon ? '<' : '>='} :idle`,
      ].join(' AND '),
      ExpressionAttributeNames: { '#ttl': 'ttl', '#minute': 'minute' },
      ExpressionAttributeValues: {
        ':idle': now + idleSeconds,
        ':minute': minuteOf(now),
        ':now': now,
        ':one': 1,
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    { abortSignal },
  );
  return Attributes as Connection;
}

/**
 * Removes a connection and all its watches. `codes` are further links that it may watch, for a
 * connection whose own item may have gone before.
 */
export async function removeConnection(
  { client, tableName, abortSignal }: TableAccess,
  id: string,
  codes: readonly string[] = [],
): Promise<void> {
  const remove = (Key: Record<string, string>) =>
    retryWhileBusy(() => {
      const command = new DeleteCommand({ TableName: tableName, Key, ReturnValues: 'ALL_OLD' });
      return client.send(command, { abortSignal });
    });
  // The connection goes first: without it, no watch can be added.
  const { Attributes } = await remove(connectionKey(id));
  const { codes: watched = [] } = (Attributes ?? {}) as Partial<Connection>;
  const all = new Set([...codes, ...watched]);
  await pLimit(deletesAtOnce).map(all, (code) => remove(watchKey(code, id)));
}

function minuteOf(seconds: number): number {
  return Math.floor(seconds / 60);
}
