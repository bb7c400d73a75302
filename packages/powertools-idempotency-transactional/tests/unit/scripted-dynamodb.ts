import {
  type CancellationReason,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItemsCommand,
  type TransactWriteItemsInput,
} from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { commitEntries } from '../../src/commit-entries.ts';
import type { Entry } from '../../src/entry.ts';

/** Answers one request, or throws as the SDK does. */
export type Answer = (input: TransactWriteItemsInput, abortSignal: AbortSignal) => Promise<unknown>;

/**
 * Commits entries to a DynamoDB that gives these answers, one a request, and then commits whatever
 * it gets. Returns the outcomes, the requests, and the ids of the orders in each request.
 */
export function commit(entries: Entry[], ...answers: Answer[]) {
  return commitAtRandom(() => 0.5, entries, ...answers);
}

/** The same, with other random numbers. */
export async function commitAtRandom(random: () => number, entries: Entry[], ...answers: Answer[]) {
  const { client, sent } = scriptClient(answers);
  let tokens = 0;
  const newToken = () => `token-${tokens++}`;
  const outcomes = await Promise.all(commitEntries({ client, random, newToken }, entries));
  return { outcomes, sent, batches: sent.map((input) => markersOf(input).join(' ')) };
}

/** A client of such a DynamoDB, and the requests that it gets. */
export function scriptClient(answers: Answer[]) {
  const sent: TransactWriteItemsInput[] = [];
  const send = async (
    { input }: TransactWriteItemsCommand,
    { abortSignal }: { abortSignal: AbortSignal },
  ) => {
    sent.push(input);
    return (answers.shift() ?? (async () => accepted))(input, abortSignal);
  };
  return { client: { send } as unknown as DynamoDBClient, sent };
}

/** The same, while fake timers run. */
export async function commitInTime(entries: Entry[], ...answers: Answer[]) {
  const committing = commit(entries, ...answers);
  await vi.runAllTimersAsync();
  return committing;
}

/** The ids of a request's orders, which are its markers. */
export function markersOf({ TransactItems = [] }: TransactWriteItemsInput): string[] {
  return TransactItems.flatMap(({ Put }) => Put?.Item?.PK?.S?.replace('ORDER#', '') ?? []);
}

/** The partition key of the item that each action updates; undefined for a marker. */
export function updatedKeysOf({ TransactItems = [] }: TransactWriteItemsInput) {
  return TransactItems.map(({ Update }) => Update?.Key?.PK?.S);
}

export const cancelled =
  (...CancellationReasons: CancellationReason[]): Answer =>
  async () => {
    throw new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
  };

/** An error that DynamoDB answers with; without a status, none of its answers. */
export const failing =
  (name: string, httpStatusCode?: number): Answer =>
  async () => {
    const $fault = httpStatusCode && 'client';
    throw Object.assign(new Error('no'), { name, $fault, $metadata: { httpStatusCode } });
  };

/** No answer until the request is ended. */
export const hanging: Answer = (_, abortSignal) =>
  new Promise((_resolve, reject) => {
    const abort = () => reject(Object.assign(new Error(), { name: 'AbortError' }));
    abortSignal.addEventListener('abort', abort);
  });

/** A conflict at the items of these accounts; commits transactions of others. */
export const conflictAt =
  (...accounts: string[]): Answer =>
  async (input, signal) => {
    const isHot = (account = '') => accounts.includes(account);
    const keys = updatedKeysOf(input);
    if (!keys.some(isHot)) return accepted;
    return cancelled(...keys.map((key) => (isHot(key) ? conflict : none)))(input, signal);
  };

/** How DynamoDB answers after a commit. */
export const accepted = { ConsumedCapacity: [{ TableName: 'orders', CapacityUnits: 6 }] };

export const none: CancellationReason = { Code: 'None' };
export const conflict: CancellationReason = { Code: 'TransactionConflict' };
export const conditionFailed: CancellationReason = { Code: 'ConditionalCheckFailed' };
/** A rejection because of this marker, which is not expired. */
export const taken: CancellationReason = {
  ...conditionFailed,
  Item: { ttl: { N: '2000000000' }, validation: { S: 'hash' } },
};
export const duplicate = {
  kind: 'duplicate',
  payloadHash: 'hash',
  expirySeconds: 2_000_000_000,
};
export const committed = { kind: 'committed' };
