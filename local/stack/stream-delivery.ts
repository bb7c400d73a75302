import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { findFailedIds } from '../engines/batch-response.ts';

const firstRetryMs = 100;
const longestRetryMs = 10_000;

export interface Delivery {
  /**
   * How long a batch is retried. The records' own times can't be used, because DynamoDB Local
   * rounds them to minutes.
   */
  maxAgeMs: number;
  /** Returns the function's response, which reports failed records. Throws if the invocation failed. */
  invoke(event: DynamoDBStreamEvent): Promise<string>;
  onError(error: Error): void;
  wait(ms: number): Promise<void>;
  signal: AbortSignal;
}

/**
 * Delivers a batch. After a failure, it continues at the first failed record, as Lambda does. Lambda
 * would also split a batch that fails again and again; this retries it until it is too old.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export async function deliverBatch(batch: DynamoDBRecord[], delivery: Delivery): Promise<void> {
  const { signal, onError, wait, maxAgeMs } = delivery;
  const deadlineMs = Date.now() + maxAgeMs;
  let rest = batch;
  for (let retryMs = firstRetryMs; !signal.aborted; ) {
    const done = await countDone(rest, delivery);
    rest = rest.slice(done);
    if (rest.length === 0 || signal.aborted) return;
    if (Date.now() >= deadlineMs) {
      return onError(new Error(`Gave up on ${rest.length} records of a stream: they are too old.`));
    }
    if (done > 0) continue;
    await wait(retryMs);
    retryMs = Math.min(2 * retryMs, longestRetryMs);
  }
}

/** Invokes the function, and counts the records before the first that failed. */
async function countDone(batch: DynamoDBRecord[], delivery: Delivery): Promise<number> {
  try {
    const response = await delivery.invoke({ Records: batch });
    const ids = batch.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
    const failed = findFailedIds(response, ids);
    const first = ids.findIndex((id) => failed.has(id));
    return first === -1 ? batch.length : first;
  } catch (error) {
    if (!delivery.signal.aborted) delivery.onError(error as Error);
    return 0;
  }
}
