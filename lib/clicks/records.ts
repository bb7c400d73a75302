import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { describeForLog, expected } from '../validation.ts';
import { invalidFieldError } from './click.ts';

/**
 * Reads the messages of an event.
 *
 * @throws {TypeError} if the event didn't come from SQS.
 */
export function readRecords(event: SQSEvent): SQSRecord[] {
  const records: unknown = event?.Records;
  if (Array.isArray(records)) return records;
  throw new TypeError(expected('Records', 'a list of SQS messages', records, describeForLog));
}

/** The attempt number of a record's message, from 1. Undefined if SQS didn't send it. */
export function attemptOf({ attributes }: SQSRecord): number | undefined {
  const attempt = Number(attributes?.ApproximateReceiveCount);
  return attempt >= 1 ? attempt : undefined;
}

/** SQS treats a copied message as new, so this attribute keeps the first arrival of its click. */
export const firstSentAttribute = 'FirstSentTimestamp';

/**
 * When a message first arrived in a queue: the attribute's text, unless a sender set it to something
 * else. A first arrival can't be later than the latest one, in epoch milliseconds.
 */
export function chooseFirstSent(text: string | undefined, sentMs: number): number {
  const firstSentMs = /^\d+$/.test(text ?? '') ? Number(text) : Number.NaN;
  return firstSentMs <= sentMs ? firstSentMs : sentMs;
}

/**
 * Rejects a record without an attempt number: SQS always sends it, so the record came from
 * elsewhere.
 *
 * @throws {InvalidClickError}
 */
export function checkRecord(record: SQSRecord): void {
  if (attemptOf(record) !== undefined) return;
  const count = record.attributes?.ApproximateReceiveCount;
  throw invalidFieldError('attributes.ApproximateReceiveCount', 'a number above 0', count);
}
