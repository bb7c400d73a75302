import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { describeForLog, expected } from '../validation.ts';
import { invalidFieldError } from './click.ts';

/**
 * The messages of an event.
 *
 * @throws {TypeError} for an event that SQS did not send.
 */
export function readRecords(event: SQSEvent): SQSRecord[] {
  const records: unknown = event?.Records;
  if (Array.isArray(records)) return records;
  throw new TypeError(expected('Records', 'a list of SQS messages', records, describeForLog));
}

/** Which attempt to process its message a record is, from 1; undefined if SQS did not say. */
export function attemptOf({ attributes }: SQSRecord): number | undefined {
  const attempt = Number(attributes?.ApproximateReceiveCount);
  return attempt >= 1 ? attempt : undefined;
}

/**
 * Refuses a record without its attempt: SQS always gives it, so the record came from elsewhere.
 *
 * @throws {InvalidClickError}
 */
export function checkRecord(record: SQSRecord): void {
  if (attemptOf(record) !== undefined) return;
  const count = record.attributes?.ApproximateReceiveCount;
  throw invalidFieldError('attributes.ApproximateReceiveCount', 'a number above 0', count);
}
