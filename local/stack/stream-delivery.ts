import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { findFailedIds } from '../engines/batch-response.ts';

const firstRetryMs = 100;
const longestRetryMs = 10_000;

export interface DeliverySettings {
  /** The maximum number of retries of a batch. */
  maxRetries: number;
  /**
   * How long a batch is retried. The records' own times can't be used, because DynamoDB Local
   * rounds them to minutes.
   */
  maxAgeMs: number;
  bisects: boolean;
  reportsFailures: boolean;
}

export interface Delivery extends DeliverySettings {
  /** Returns the function's response. Throws if the invocation failed. */
  invoke(event: DynamoDBStreamEvent): Promise<string>;
  onError(error: Error): void;
  wait(ms: number): Promise<void>;
  signal: AbortSignal;
}

/**
 * Delivers a batch as Lambda does. After a failure, it continues at the first failed record. If
 * that is the batch's first record, it retries each half of the batch and finally gives up, so a
 * record can't block its shard forever. Splitting a batch doesn't count as a retry.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export async function deliverBatch(records: DynamoDBRecord[], delivery: Delivery): Promise<void> {
  const deadlineMs = Date.now() + delivery.maxAgeMs;
  const deliver = async (batch: DynamoDBRecord[], retries: number): Promise<void> => {
    if (delivery.signal.aborted) return;
    const done = await countDone(batch, delivery);
    const rest = batch.slice(done);
    if (rest.length === 0) return;
    if (done > 0) return deliver(rest, retries);
    if (Date.now() >= deadlineMs) return giveUp(rest, 'they are too old', delivery);
    if (delivery.bisects && rest.length > 1) {
      const middle = Math.ceil(rest.length / 2);
      await deliver(rest.slice(0, middle), retries);
      return deliver(rest.slice(middle), retries);
    }
    if (retries >= delivery.maxRetries) {
      return giveUp(rest, `${retries + 1} attempts failed`, delivery);
    }
    await delivery.wait(Math.min(firstRetryMs * 2 ** retries, longestRetryMs));
    return deliver(rest, retries + 1);
  };
  await deliver(records, 0);
}

/** Invokes the function, and counts the records before the first that failed. */
async function countDone(batch: DynamoDBRecord[], delivery: Delivery): Promise<number> {
  try {
    const response = await delivery.invoke({ Records: batch });
    if (!delivery.reportsFailures) return batch.length;
    const ids = batch.map(readSequenceNumber);
    const failed = findFailedIds(response, ids);
    const first = ids.findIndex((id) => failed.has(id));
    return first === -1 ? batch.length : first;
  } catch (error) {
    if (!delivery.signal.aborted) delivery.onError(error as Error);
    return 0;
  }
}

function giveUp(batch: DynamoDBRecord[], reason: string, { signal, onError }: Delivery): void {
  if (signal.aborted) return;
  const [first, last] = [batch.at(0), batch.at(-1)].map((record) => readSequenceNumber(record));
  onError(new Error(`Gave up on the records ${first} to ${last} of a stream: ${reason}.`));
}

function readSequenceNumber(record: DynamoDBRecord | undefined): string {
  return record?.dynamodb?.SequenceNumber ?? '';
}
