import * as z from 'zod/mini';
import { parse } from '../validation.ts';
import { message, parseMessage } from './click.ts';

/**
 * An envelope's maximum number of clicks. It bounds the work and the dead letters that one message
 * can cause.
 */
export const maxClicksInEnvelope = 500;

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

/** What a message holds: events with one click each. */
export interface Message {
  events: unknown[];
  /** Whether one event brought them, in `detail.clicks`. */
  isEnvelope: boolean;
}

/**
 * Reads a message. Each click of an envelope becomes an event like any other: the envelope's, with
 * this click as its detail. Such a click must bring its own id: the event's id belongs to all of
 * them, and a producer that retries could group them differently.
 *
 * @throws {InvalidClickError} if the message can't be read. The clicks aren't read yet.
 */
export function readMessage(body: string): Message {
  const event = parseMessage(body);
  if (!Array.isArray(Object(event).detail?.clicks)) return { events: [event], isEnvelope: false };
  const { clicks } = parse(envelopeSchema, event, message).detail;
  const events = clicks.map((detail) => {
    const hasId = Boolean(Object(detail).clickId);
    return { ...Object(event), id: hasId ? Object(event).id : undefined, detail };
  });
  return { events, isEnvelope: true };
}

/** The events in a message, or none if it can't be read. */
export function listEvents(body: string): unknown[] {
  try {
    return readMessage(body).events;
  } catch {
    return [];
  }
}
