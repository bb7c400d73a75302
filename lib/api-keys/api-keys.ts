import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Write } from 'powertools-idempotency-transactional';
import {
  backOff,
  batchGetItems,
  commitWrites,
  getItem,
  retryWhileBusy,
  updateItem,
  writeTimeoutMs,
} from '../dynamodb/requests.ts';
import type { TableAccess, TransactionalTable } from '../dynamodb/table.ts';
import { HttpError } from '../http/http-error.ts';
import { apiKeyItemKey, userApiKeysKey } from '../keys.ts';
import { hashKey, mintKey } from './api-key.ts';
import type { ApiKey, CreatedKey, NewKey } from './key-schemas.ts';

/** Each user's maximum of keys that haven't expired. */
const keysPerUser = 10;
const daySeconds = 24 * 60 * 60;
const maxAttempts = 8;

/** A key as it's stored. */
export interface StoredKey extends Omit<ApiKey, 'id'> {
  /** The `sub` of the user for whom it acts. */
  user: string;
  hash: string;
  ttl: number;
}

/** The ids of a user's keys. No more are added once an operator has removed the user. */
interface KeyList {
  ids?: Set<string>;
  isRemoved?: boolean;
}

/** Lists a user's keys, newest first. Expired ones are listed until DynamoDB deletes them. */
export async function listKeys(table: TableAccess, user: string): Promise<ApiKey[]> {
  return readKeys(table, await readList(table, user));
}

type KeyRejection = 'name-taken' | 'too-many' | 'removed-user';

/**
 * Creates a key and returns it with its secret, which can't be read again. Two of a user's keys
 * never have the same name, unless one has expired. Throws a {@link keyRejectionError}.
 */
export async function createKey(
  table: TransactionalTable,
  user: string,
  { name, scope, expiresInDays }: NewKey,
): Promise<CreatedKey> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (attempt > 1) await backOff(attempt);
    const now = new Date();
    const list = await readList(table, user);
    const keys = await readKeys(table, list);
    const valid = keys.filter(({ expiresAt }) => expiresAt > now.toISOString());
    const problem = findProblem(name, list, valid);
    if (problem) throw keyRejectionError(problem);
    const { id, key } = mintKey();
    const ttl = Math.ceil(now.getTime() / 1_000) + expiresInDays * daySeconds;
    const createdAt = now.toISOString();
    const expiresAt = new Date(ttl * 1_000).toISOString();
    const answer = { name, scope, createdAt, expiresAt };
    const stored: StoredKey = { ...answer, user, hash: hashKey(key), ttl };
    const rejection = await commitWrites(table, [
      putKey(id, stored),
      addToList(id, stored, list, valid),
    ]);
    if (!rejection) return { id, key, ...answer };
  }
  throw new Error(`expected to create a key within ${maxAttempts} attempts; others interfered`);
}

/** Why a user can't have a new key with a name, beside those that haven't expired. */
function findProblem(
  name: string,
  list: KeyList | undefined,
  valid: readonly ApiKey[],
): KeyRejection | undefined {
  if (list?.isRemoved) return 'removed-user';
  if (valid.some((key) => key.name === name)) return 'name-taken';
  return valid.length >= keysPerUser ? 'too-many' : undefined;
}

function putKey(id: string, key: StoredKey): Write {
  const Item = { ...apiKeyItemKey(id), ...key };
  return { Put: { Item, ConditionExpression: 'attribute_not_exists(PK)' } };
}

/** Adds a new key to the list of its user's, which drops expired ones. */
function addToList(
  id: string,
  { user, ttl }: StoredKey,
  list: KeyList | undefined,
  valid: readonly ApiKey[],
): Write {
  const ids = new Set([id, ...valid.map((key) => key.id)]);
  const expiries = [ttl, ...valid.map((key) => Date.parse(key.expiresAt) / 1_000)];
  const values = { ':ids': ids, ':ttl': Math.max(...expiries) };
  // Another request may have added a key meanwhile, or an operator removed the user.
  const isUnchanged = list?.ids
    ? {
        ConditionExpression: 'attribute_not_exists(isRemoved) AND ids = :known',
        ExpressionAttributeValues: { ...values, ':known': list.ids },
      }
    : { ConditionExpression: 'attribute_not_exists(PK)', ExpressionAttributeValues: values };
  return {
    Update: {
      Key: userApiKeysKey(user),
      UpdateExpression: 'SET ids = :ids, #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ...isUnchanged,
    },
  };
}

/** Revokes a user's key. Returns false if the user doesn't have it. */
export async function revokeKey(
  { client, tableName, abortSignal }: TableAccess,
  user: string,
  id: string,
): Promise<boolean> {
  const command = new DeleteCommand({
    TableName: tableName,
    Key: apiKeyItemKey(id),
    ConditionExpression: '#user = :user',
    ExpressionAttributeNames: { '#user': 'user' },
    ExpressionAttributeValues: { ':user': user },
  });
  try {
    await client.send(command, { abortSignal });
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/**
 * Revokes all keys of a user whom an operator removes, and returns their number. Until the user's
 * last access token has expired, it can't create others.
 */
export async function revokeAllKeys(table: TableAccess, user: string): Promise<number> {
  const abortSignal = AbortSignal.timeout(writeTimeoutMs);
  const { item } = await retryWhileBusy(() =>
    updateItem<KeyList>(
      { ...table, abortSignal },
      {
        Key: userApiKeysKey(user),
        UpdateExpression: 'SET isRemoved = :true, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':true': true,
          ':ttl': Math.ceil(Date.now() / 1_000) + daySeconds,
        },
      },
    ),
  );
  const ids = [...(item?.ids ?? [])];
  const revoked = await Promise.all(ids.map((id) => revokeKey(table, user, id)));
  return revoked.filter(Boolean).length;
}

function readList(table: TableAccess, user: string): Promise<KeyList | undefined> {
  return getItem(table, userApiKeysKey(user));
}

async function readKeys(table: TableAccess, list?: KeyList): Promise<ApiKey[]> {
  const items = await batchGetItems(table, [...(list?.ids ?? [])].map(apiKeyItemKey));
  const keys = items.map(({ PK, name, scope, createdAt, expiresAt, lastUsedAt }) => ({
    id: PK.slice(apiKeyItemKey('').PK.length),
    name,
    scope,
    createdAt,
    expiresAt,
    lastUsedAt,
  }));
  return keys.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** Why a key wasn't created, and what to do. */
export function keyRejectionError(rejection: KeyRejection): HttpError {
  if (rejection === 'removed-user') return new HttpError(403, 'An operator has removed this user.');
  if (rejection === 'too-many') {
    return new HttpError(409, `You already have ${keysPerUser} API keys. Revoke one first.`);
  }
  const message = 'You already have an API key with this name. Revoke it, or choose another name.';
  return new HttpError(409, message, {}, { name: message });
}

export function unknownKeyError(): HttpError {
  return new HttpError(404, "You don't have an API key with this id. It may already be revoked.");
}
