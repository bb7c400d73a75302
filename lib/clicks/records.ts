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
