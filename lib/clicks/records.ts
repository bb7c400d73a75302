import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { toAsciiJson } from '../aws/send-message.ts';
import { checkBytes, describeForLog, expected, parse, readField } from '../validation.ts';
import {
  InvalidClickError,
  invalidFieldError,
  maxMessageBytes,
  messageSubject,
  parseMessage,
} from './click.ts';
import { maxClicksInEnvelope } from './envelope-limit.ts';

/** Reads the messages of an event. Throws a `TypeError` if the event didn't come from SQS. */
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

/** Rejects a record without an attempt number. SQS always sends it. */
function checkRecord(record: SQSRecord): void {
  if (attemptOf(record) !== undefined) return;
  const count = record.attributes?.ApproximateReceiveCount;
  throw invalidFieldError('attributes.ApproximateReceiveCount', 'a number above 0', count);
}

const expectedClicks = `a list of 1 to ${maxClicksInEnvelope} clicks`;
const absent = z.optional(z.undefined('absent from an envelope'));
const envelopeSchema = z.object({
  detail: z.object({
    clicks: z
      .array(z.unknown())
      .check(z.minLength(1, expectedClicks), z.maxLength(maxClicksInEnvelope, expectedClicks)),
    clickId: absent,
    code: absent,
    at: absent,
  }),
});

/** What a message holds. */
export interface Message {
  /** Events with one click each. */
  events: unknown[];
  /** The event that brought them all, in `detail.clicks`. */
  envelope?: object;
}

/**
 * Reads a message. Each click of an envelope becomes an event like any other: the envelope's, with
 * this click as its detail. Such a click must bring its own id: the event's id belongs to all of
 * them, and a producer that retries could group them differently. Throws `InvalidClickError` if the
 * message can't be read, or if a dead letter with its clicks couldn't. The clicks aren't read yet.
 */
export function readMessage(body: string): Message {
  const event = parseMessage(body);
  if (!isEnvelope(event)) return { events: [event] };
  const { clicks } = parse(envelopeSchema, event, messageSubject).detail;
  checkBytes(measure(event), maxMessageBytes, messageSubject);
  const id = readField(event, 'id');
  const events = clicks.map((detail) => {
    const hasId = Boolean(readField(detail, 'clickId'));
    // Only what readClick reads: 500 copies of an envelope with thousands of other fields take 200 MB.
    return { id: hasId ? id : undefined, detail };
  });
  return { events, envelope: event };
}

function isEnvelope(event: unknown): event is object {
  return Array.isArray(readField(readField(event, 'detail'), 'clicks'));
}

/** A record with its message, or with the reason why that can't be read. */
export interface OpenedRecord extends SQSRecord {
  message: Message | undefined;
  problem?: unknown;
}

export function openRecord(record: SQSRecord): OpenedRecord {
  try {
    checkRecord(record);
    return { ...record, message: readMessage(record.body) };
  } catch (problem) {
    return { ...record, message: undefined, problem };
  }
}

/** An envelope with only some of its clicks, as a message's body. */
export function repackEnvelope(envelope: object, events: readonly unknown[]): string {
  const clicks = events.map((event) => readField(event, 'detail'));
  const detail = { ...Object(readField(envelope, 'detail')), clicks };
  return toAsciiJson({ ...envelope, detail });
}

/** The bytes of an event that this service writes. Numbers, such as 1e20, and texts may have grown. */
function measure(event: object): number {
  try {
    return toAsciiJson(event).length;
  } catch {
    throw new InvalidClickError('expected the message to be JSON that can be written again');
  }
}

/** The events in a message, or none if it can't be read. */
export function listEvents(body: string): unknown[] {
  try {
    return readMessage(body).events;
  } catch {
    return [];
  }
}
