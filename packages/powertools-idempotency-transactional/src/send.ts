import {
  BatchGetItemCommand,
  type CancellationReason,
  type DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './entry.ts';
import { CommitUnprovenError } from './errors.ts';
import { isMarker, type Transaction } from './transaction.ts';

/** Ends a request without a complete answer, so that there is time to retry. */
const maxRequestMs = 2_000;

export interface SendOptions {
  client: DynamoDBClient;
  tableName: string;
}

/**
 * Sends a transaction once. If it is cancelled, the error tells what was in the way: markers and
 * pages that DynamoDB did not return with the refusal are read.
 *
 * @throws {CommitUnprovenError} if the answer does not show that DynamoDB wrote anything.
 */
export async function sendTransaction(
  options: SendOptions,
  transaction: Transaction,
  token: string,
  deadlineMs: number,
): Promise<void> {
  const command = new TransactWriteItemsCommand({
    TransactItems: transaction.items,
    ClientRequestToken: token,
    ReturnConsumedCapacity: 'TOTAL',
  });
  try {
    const { ConsumedCapacity } = await withTimeout(deadlineMs, (abortSignal) =>
      options.client.send(command, { abortSignal }),
    );
    // Something between here and DynamoDB can answer anything with a 200.
    if (!isProof(ConsumedCapacity)) {
      throw new CommitUnprovenError('expected the consumed capacity of a commit; got none');
    }
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      await readMissingItems(options, transaction, error.CancellationReasons ?? [], deadlineMs);
    }
    throw error;
  }
}

function isProof(capacity: unknown): boolean {
  const [first] = Array.isArray(capacity) ? capacity : [];
  return typeof first?.CapacityUnits === 'number';
}

// A refusal may come without the item that was in the way, though the request asks for it.
async function readMissingItems(
  { client, tableName }: SendOptions,
  { actions }: Transaction,
  reasons: CancellationReason[],
  deadlineMs: number,
): Promise<void> {
  const refusals: { key: Item; reason: CancellationReason }[] = [];
  for (const [index, action] of actions.entries()) {
    const reason = reasons[index];
    if (!isMarker(action) || reason?.Code !== 'ConditionalCheckFailed') continue;
    if (!reason.Item) refusals.push({ key: action.itemKey, reason });
  }
  if (refusals.length === 0) return;
  const Keys = refusals.map(({ key }) => key);
  const command = new BatchGetItemCommand({
    RequestItems: { [tableName]: { Keys, ConsistentRead: true } },
  });
  const { Responses = {} } = await withTimeout(deadlineMs, (abortSignal) =>
    client.send(command, { abortSignal }),
  );
  const items = Object.values(Responses).flat();
  for (const { key, reason } of refusals) reason.Item = items.find((item) => hasKey(item, key));
}

function hasKey(item: Item, key: Item): boolean {
  return Object.entries(key).every(([name, value]) => item[name]?.S === value.S);
}

async function withTimeout<T>(
  deadlineMs: number,
  request: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timeoutMs = Math.min(deadlineMs - Date.now(), maxRequestMs);
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
