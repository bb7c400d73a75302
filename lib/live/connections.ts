import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import pLimit from 'p-limit';
import { batchGetItems, getItem, retryWhileBusy, updateItem } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { anyConnectionKey, connectionKey, userConnectionsKey, watchKey } from '../keys.ts';

/**
 * Adds a connection to its user's list, which never exceeds `limit` connections, even if several
 * open at once. If the list is full, returns it. `ttl`, in epoch seconds, is when all of them will
 * have ended.
 */
async function addToUser(
  table: TableAccess,
  { id, owner, limit, ttl }: { id: string; owner: string; limit: number; ttl: number },
): Promise<string[] | undefined> {
  const { isRejected, item } = await updateItem<{ ids: Set<string> }>(table, {
    Key: userConnectionsKey(owner),
    UpdateExpression: 'SET #ttl = :ttl ADD ids :added',
    // An earlier attempt may have added it and lost its response.
    ConditionExpression: 'attribute_not_exists(ids) OR size(ids) < :limit OR contains(ids, :id)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':ttl': ttl, ':added': new Set([id]), ':id': id, ':limit': limit },
  });
  return isRejected ? [...(item?.ids ?? [])] : undefined;
}

/** Removes a connection from its user's list, if it's there. */
async function removeFromUser(table: TableAccess, owner: string, id: string): Promise<void> {
  await updateItem(table, {
    Key: userConnectionsKey(owner),
    UpdateExpression: 'DELETE ids :removed',
    // Without this condition, the update would create a list that never expires.
    ConditionExpression: 'contains(ids, :id)',
    ExpressionAttributeValues: { ':removed': new Set([id]), ':id': id },
  });
}

// API Gateway closes a connection after ten idle minutes, and notifies close-connection if it can.
const idleMinutes = 15;
// A page sends a message every four minutes, and up to a minute late in a hidden tab.
const silentMinutes = 6;
/** API Gateway closes every connection after two hours. */
const longestSeconds = 2 * 60 * 60;
const maxAttempts = 5;
const deletesAtOnce = 10;
const readAtOnce = 100;

export interface Connection {
  owner: string;
  /** When it ends at the latest, in epoch seconds: with its token, or when API Gateway closes it. */
  ttl: number;
  /** The minute of its latest message since the epoch, and the number of messages in that minute. */
  minute: number;
  messages: number;
  codes?: Set<string>;
}

interface NewConnection extends Pick<Connection, 'owner'> {
  id: string;
  /** When its token expires, in epoch seconds. */
  expiresAt: number;
  connectionsPerUser: number;
}

/**
 * Stores a new connection, which never outlives its token. Returns false if its user is at the
 * limit. To make room, it removes connections that have been silent for longer than an open page
 * would be. `now` is in epoch seconds.
 */
export async function openConnection(
  table: TableAccess,
  { id, owner, expiresAt, connectionsPerUser }: NewConnection,
  now: number,
): Promise<boolean> {
  const { client, tableName: TableName, abortSignal } = table;
  const ttl = Math.min(expiresAt, now + longestSeconds);
  const connection: Connection = { owner, ttl, minute: minuteOf(now), messages: 0 };
  // The item is written before its id is in the user's list, where one without an item counts as silent.
  const Item = { ...connectionKey(id), ...connection };
  await Promise.all([
    client.send(new PutCommand({ TableName, Item }), { abortSignal }),
    updateItem(table, {
      Key: anyConnectionKey,
      UpdateExpression: 'SET #ttl = :ttl',
      ConditionExpression: 'attribute_not_exists(#ttl) OR #ttl < :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':ttl': ttl },
    }),
  ]);
  const added = { id, owner, limit: connectionsPerUser, ttl: now + longestSeconds };
  const others = await addToUser(table, added);
  if (!others) return true;
  const silent = await findSilent(table, others.slice(0, readAtOnce), now);
  await pLimit(deletesAtOnce).map(silent, (other) => removeConnection(table, other, { owner }));
  if (silent.length > 0 && !(await addToUser(table, added))) return true;
  await client.send(new DeleteCommand({ TableName, Key: connectionKey(id) }), { abortSignal });
  return false;
}

/** Whether any connection may be open. It's true until the last one's token expires. */
export async function hasConnections(table: TableAccess, now: number): Promise<boolean> {
  // A push must not miss a connection that has just been opened, so the read is consistent.
  const { ttl = 0 } = (await getItem<{ ttl: number }>(table, anyConnectionKey)) ?? {};
  return ttl > now;
}

async function findSilent(table: TableAccess, ids: string[], now: number): Promise<string[]> {
  const items = await batchGetItems(table, ids.map(connectionKey));
  const alive = items.filter((item) => isAlive(item as Connection, now, silentMinutes));
  const kept = new Set(alive.map(({ PK }) => PK));
  return ids.filter((id) => !kept.has(connectionKey(id).PK));
}

function isAlive({ ttl, minute }: Connection, now: number, minutes: number): boolean {
  return ttl > now && minute > minuteOf(now) - minutes;
}

/**
 * Counts a message of a connection and keeps the connection alive for another 15 minutes. Returns
 * the updated connection, or undefined if it has ended. `now` is in epoch seconds.
 */
export async function touchConnection(
  table: TableAccess,
  id: string,
  now: number,
): Promise<Connection | undefined> {
  let isNewMinute = false;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    // Transactions for the connection's other messages conflict with this write.
    const { isRejected, item } = await retryWhileBusy(() =>
      countMessage(table, id, now, isNewMinute),
    );
    if (!isRejected) return item;
    if (!item || !isAlive(item, now, idleMinutes)) return undefined;
    isNewMinute = item.minute < minuteOf(now);
  }
  throw new Error(
    `expected to count a message within ${maxAttempts} attempts; concurrent updates conflicted`,
  );
}

/** `isNewMinute` is a guess, so that most messages need only one write. */
function countMessage(table: TableAccess, id: string, now: number, isNewMinute: boolean) {
  const minute = minuteOf(now);
  return updateItem<Connection>(table, {
    Key: connectionKey(id),
    UpdateExpression: isNewMinute ? 'SET #minute = :minute, messages = :one' : 'ADD messages :one',
    ConditionExpression: isNewMinute
      ? '#ttl > :now AND #minute < :minute AND #minute > :idle'
      : '#ttl > :now AND #minute >= :minute',
    ExpressionAttributeNames: { '#ttl': 'ttl', '#minute': 'minute' },
    ExpressionAttributeValues: {
      ':minute': minute,
      ':now': now,
      ':one': 1,
      ...(isNewMinute && { ':idle': minute - idleMinutes }),
    },
  });
}

/**
 * Removes a connection, all its watches, and its id from its user's list. `known` has its user and the links
 * that it may watch, in case the connection's own item is already gone.
 */
export async function removeConnection(
  table: TableAccess,
  id: string,
  known: { owner?: string; codes?: readonly string[] } = {},
): Promise<void> {
  const { client, tableName, abortSignal } = table;
  const remove = (Key: Record<string, string>) =>
    retryWhileBusy(() => {
      const command = new DeleteCommand({ TableName: tableName, Key, ReturnValues: 'ALL_OLD' });
      return client.send(command, { abortSignal });
    });
  // The connection is deleted first. Without it, watches can't be added.
  const { Attributes } = await remove(connectionKey(id));
  const { codes: watched = [], owner = known.owner } = (Attributes ?? {}) as Partial<Connection>;
  const all = new Set([...(known.codes ?? []), ...watched]);
  await pLimit(deletesAtOnce).map(all, (code) => remove(watchKey(code, id)));
  if (owner !== undefined) await removeFromUser(table, owner, id);
}

function minuteOf(seconds: number): number {
  return Math.floor(seconds / 60);
}
