import {
  ConditionalCheckFailedException,
  type KeysAndAttributes,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  paginateQuery,
  type QueryCommandInput,
  TransactGetCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  ConditionFailedError,
  commitEffects,
  isTransientError,
  type Write,
} from 'powertools-idempotency-transactional';
import { invariant } from '../invariant.ts';
import type { TableAccess, TransactionalTable } from './table.ts';

const maxAttempts = 8;
const firstDelayMs = 25;
const longestDelayMs = 400;

/**
 * Timeout for a write with all its attempts: a second less than that of the functions behind the
 * API.
 */
export const writeTimeoutMs = 4_000;

/** DynamoDB's response doesn't prove that the write happened. */
export class WriteUnprovenError extends Error {
  override readonly name = 'WriteUnprovenError';
}

/**
 * Tries a request up to eight times while DynamoDB is busy or its response is lost, and longer if its deadline
 * is later.
 */
export async function retryWhileBusy<T>(send: () => Promise<T>, deadlineMs = 0): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const isLast = attempt >= maxAttempts && Date.now() >= deadlineMs;
      if (isLast || !isTransient(error)) throw error;
    }
    await backOff(attempt);
  }
}

/** Waits with full jitter: up to 25 ms after the first attempt, doubling each time to 400 ms. */
export function backOff(attempt: number): Promise<void> {
  const mostMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return new Promise((resolve) => setTimeout(resolve, mostMs * Math.random()));
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof WriteUnprovenError) return true;
  // An aborted write is out of time.
  return error.name !== 'AbortError' && isTransientError(error);
}

export type Key = Record<'PK' | 'SK', string>;
type Item = Record<string, NativeAttributeValue>;

/** Reads an item consistently, so it sees every earlier write. Undefined if it doesn't exist. */
export async function getItem<T>(
  { client, tableName, abortSignal }: TableAccess,
  key: Key,
): Promise<T | undefined> {
  const get = new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true });
  const { Item } = await client.send(get, { abortSignal });
  return Item as T | undefined;
}

/**
 * Reads a partition's items between two keys consistently, in pages and in the order of their sort
 * keys. The range is inclusive.
 */
export async function* queryRange(
  { client, tableName, abortSignal }: TableAccess,
  first: Key,
  last: Key,
  options: Pick<
    QueryCommandInput,
    'Limit' | 'ProjectionExpression' | 'ExpressionAttributeNames'
  > = {},
): AsyncGenerator<Item[]> {
  const query = {
    ...options,
    TableName: tableName,
    ConsistentRead: true,
    KeyConditionExpression: 'PK = :pk AND SK BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': first.PK, ':first': first.SK, ':last': last.SK },
  };
  const pages = paginateQuery({ client }, query, { abortSignal });
  for await (const { Items = [] } of pages) yield Items;
}

/**
 * Reads up to 100 items as they are at one instant, in the order of their keys. Undefined if a commit is
 * in flight.
 */
export async function getAtOnce(
  { client, tableName, abortSignal }: TableAccess,
  keys: Key[],
): Promise<(Item | undefined)[] | undefined> {
  checkNumberOfKeys(keys);
  const command = new TransactGetCommand({
    TransactItems: keys.map((Key) => ({ Get: { TableName: tableName, Key } })),
  });
  try {
    const { Responses = [] } = await client.send(command, { abortSignal });
    // Callers find items by their positions.
    invariant(Responses.length === keys.length, `${keys.length} responses`, Responses.length);
    return Responses.map(({ Item }) => Item);
  } catch (error) {
    if (error instanceof TransactionCanceledException) return undefined;
    throw error;
  }
}

const maxReads = 5;

/**
 * Reads up to 100 items in any order, with consistent reads by default. Throws if DynamoDB hasn't returned
 * all of them after five requests.
 */
export async function batchGetItems(
  { client, tableName, abortSignal }: TableAccess,
  keys: Key[],
  options: Pick<KeysAndAttributes, 'ProjectionExpression' | 'ConsistentRead'> = {},
): Promise<Item[]> {
  checkNumberOfKeys(keys);
  const items: Item[] = [];
  let left: Record<string, string>[] = keys;
  for (let attempt = 1; left.length > 0; attempt += 1) {
    if (attempt > maxReads) throw new Error(`expected all items within ${maxReads} reads`);
    if (attempt > 1) await backOff(attempt);
    const RequestItems = { [tableName]: { ConsistentRead: true, ...options, Keys: left } };
    const command = new BatchGetCommand({ RequestItems });
    const { Responses, UnprocessedKeys } = await client.send(command, { abortSignal });
    items.push(...(Responses?.[tableName] ?? []));
    left = UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  return items;
}

/** Of one request. */
const maxKeys = 100;

function checkNumberOfKeys(keys: readonly Key[]): void {
  invariant(keys.length <= maxKeys, `at most ${maxKeys} keys`, keys.length);
}

export type Update = Omit<UpdateCommandInput, 'TableName'>;

/** The item after the update or, if its condition failed, as it is; undefined if it's missing. */
type Updated<T> = { isRejected: false; item: T } | { isRejected: true; item?: T };

/**
 * Updates an item if the update's condition holds, in one attempt. Throws `WriteUnprovenError` if
 * the response doesn't prove the update.
 */
export async function updateItem<T>(
  { client, tableName, abortSignal }: TableAccess,
  update: Update,
): Promise<Updated<T>> {
  const command = new UpdateCommand({
    ...update,
    TableName: tableName,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes } = await client.send(command, { abortSignal });
    if (Attributes) return { isRejected: false, item: Attributes as T };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { isRejected: true, item: error.Item && (unmarshall(error.Item) as T) };
  }
  throw new WriteUnprovenError('expected the updated item in the response; got none');
}

/**
 * Commits writes exactly once, in one transaction, even if DynamoDB's responses are lost. If a
 * write's condition fails, nothing is written, and the first such write's rejection is returned.
 * Throws `CommitDeadlineError` if DynamoDB stays busy or doesn't respond before the deadline, in
 * epoch milliseconds.
 */
export async function commitWrites(
  { baseClient, tableName }: TransactionalTable,
  writes: Write[],
  deadlineMs = Date.now() + writeTimeoutMs,
): Promise<ConditionFailedError | undefined> {
  const tables = { [tableName]: ['PK', 'SK'] };
  try {
    await commitEffects({ writes }, { awsSdkV3Client: baseClient, tables, deadlineMs });
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailedError) return error;
    throw error;
  }
}
