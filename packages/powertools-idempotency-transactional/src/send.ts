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
import { isTransientError } from './transient.ts';

/** Timeout of one request, which leaves time to retry. */
const maxRequestMs = 2_000;

/**
 * Sends a transaction once. If it's cancelled, the error contains the items that were in the way:
 * markers and sheets that DynamoDB didn't return with the refusal are read. If DynamoDB refuses the
 * read, its error becomes the reason.
 *
 * @throws {CommitUnprovenError} if the response doesn't show that DynamoDB wrote anything.
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
    const { ConsumedCapacity } = await withTimeout(deadlineMs, (abortSignal) =>
      client.send(command, { abortSignal }),
    );
    // Something between here and DynamoDB can answer any request with a 200.
    if (!isProof(ConsumedCapacity)) {
      throw new CommitUnprovenError('expected the consumed capacity of a commit; got none');
    }
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    const found = await readMissingItems(client, transaction, reasons, deadlineMs);
    if (found.size === 0) throw error;
    throw new TransactionCanceledException({
      message: error.message,
      $metadata: error.$metadata,
      CancellationReasons: reasons.map((reason, index) => ({ ...reason, ...found.get(index) })),
    });
  }
}

function isProof(capacity: unknown): boolean {
  const [first] = Array.isArray(capacity) ? capacity : [];
  return typeof first?.CapacityUnits === 'number';
}

// A refusal can come without the item that was in the way, although the request asks for it. Returns
// these items, or why they can't be read, by the index of the refused action.
async function readMissingItems(
  client: DynamoDBClient,
  { actions }: Transaction,
  reasons: CancellationReason[],
  deadlineMs: number,
): Promise<Map<number, CancellationReason>> {
  const found = new Map<number, CancellationReason>();
  const missing = new Map<number, Item>();
  let tableName = '';
  for (const [index, action] of actions.entries()) {
    const { Code, Item } = reasons[index] ?? {};
    if (isMarker(action) && Code === 'ConditionalCheckFailed' && !Item) {
      const [marker] = action.parts;
      tableName = marker.tableName;
      missing.set(index, marker.itemKey);
    }
  }
  if (missing.size === 0) return found;
  const Keys = [...missing.values()];
  const command = new BatchGetItemCommand({
    RequestItems: { [tableName]: { Keys, ConsistentRead: true } },
  });
  try {
    const { Responses = {} } = await withTimeout(deadlineMs, (abortSignal) =>
      client.send(command, { abortSignal }),
    );
    const items = Object.values(Responses).flat();
    for (const [index, key] of missing) {
      const item = items.find((candidate) => hasKey(candidate, key));
      if (item) found.set(index, { Item: item });
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (isTransientError(error)) return found;
    const Message = `cannot read the marker: ${error.message}`;
    for (const index of missing.keys()) found.set(index, { Code: error.name, Message });
  }
  return found;
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
  if (timeoutMs <= 0) throw new DOMException('the deadline has passed', 'AbortError');
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
