import {
  type CancellationReason,
  type DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { Item, Marker } from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import { readItems } from './read-items.ts';
import { isMarker, type Transaction } from './transaction.ts';
import { isTransientError } from './transient.ts';

/** Timeout of one request, which leaves time to retry. */
const maxRequestMs = 2_000;

/**
 * Sends a transaction once. If it's cancelled, the error contains the items whose conditions failed:
 * markers and sheets that DynamoDB didn't return are read. If DynamoDB rejects the read, its error
 * becomes the reason.
 *
 * @throws {Error} named `CommitUnprovenError`, if the response doesn't show that DynamoDB wrote anything.
 * @throws {CommitRejectedError} if the response isn't one of the SDK.
 */
export async function sendTransaction(
  client: DynamoDBClient,
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
    const response = await withTimeout(deadlineMs, (abortSignal) =>
      client.send(command, { abortSignal }),
    );
    checkProof(response);
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      error.CancellationReasons = await completeReasons(client, transaction, error, deadlineMs);
    }
    throw error;
  }
}

// Something between here and DynamoDB can answer any request with a 200.
function checkProof(response: Partial<TransactWriteItemsCommandOutput> | undefined): void {
  if (typeof response?.ConsumedCapacity?.[0]?.CapacityUnits === 'number') return;
  // The SDK adds it to every response.
  if (response?.$metadata) {
    const message = 'expected the consumed capacity of a commit; got none';
    throw nameError('CommitUnprovenError', message);
  }
  throw new CommitRejectedError(
    'expected a response of DynamoDB; got one without $metadata, as from a mocked client. Let the ' +
      'mock resolve { ConsumedCapacity: [{ CapacityUnits: 1 }] }.',
  );
}

// A failed condition can come without its item, although the request asks for it. Returns the reasons
// with these items, or why they can't be read.
async function completeReasons(
  client: DynamoDBClient,
  { actions }: Transaction,
  { CancellationReasons: reasons = [] }: TransactionCanceledException,
  deadlineMs: number,
): Promise<CancellationReason[]> {
  const missing = new Map<number, Marker>();
  for (const [index, action] of actions.entries()) {
    const { Code, Item } = reasons[index] ?? {};
    if (isMarker(action) && Code === 'ConditionalCheckFailed' && !Item) {
      missing.set(index, action.parts[0].part);
    }
  }
  const [first] = missing.values();
  if (!first) return reasons;
  const keys = [...missing.values()].map(({ itemKey }) => itemKey);
  try {
    const items = await withTimeout(deadlineMs, (abortSignal) =>
      readItems(client, first.tableName, keys, abortSignal),
    );
    return reasons.map((reason, index) => {
      const key = missing.get(index)?.itemKey;
      const Item = key && items.find((item) => hasKey(item, key));
      return Item ? { ...reason, Item } : reason;
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (isTransientError(error)) return reasons;
    const unread = { Code: error.name, Message: `cannot read the marker: ${error.message}` };
    return reasons.map((reason, index) => (missing.has(index) ? { ...reason, ...unread } : reason));
  }
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
  if (timeoutMs <= 0) {
    // In Jest, a DOMException isn't an Error.
    throw nameError('AbortError', 'the deadline has passed');
  }
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

const nameError = (name: string, message: string) => Object.assign(new Error(message), { name });
