import { createHash } from 'node:crypto';
import type { Effects } from 'powertools-idempotency-transactional';
import * as z from 'zod/mini';
import { codeSchema } from '../code-schema.ts';
import { utcDay } from '../days.ts';
import { invariant } from '../invariant.ts';
import { dayKey, linkKey } from '../keys.ts';
import {
  checkBytes,
  describeForLog,
  expected,
  parse,
  parseJson,
  readField,
  type Subject,
} from '../validation.ts';
import { botAttribute, breakdowns, chooseAttributes, humanAttribute } from './breakdowns.ts';
import { type Campaign, chooseCampaign } from './campaign.ts';
import { campaignAttribute, countCampaign } from './campaign-counters.ts';
import { isMark } from './visitor-sketch.ts';

const maxIdLength = 256;

/** About 100 times the size of a click. SQS delivers up to 1 MB, which is slow to parse. */
export const maxMessageBytes = 65_536;

/** How far a click's time may be ahead of the clock. */
export const maxAheadMs = 24 * 60 * 60 * 1000;

/**
 * How long after its link's deletion a click still counts. Caches have the URL for 30 seconds, and
 * clocks differ.
 */
const countedAfterDeletionMs = 60_000;

/** One click, ready to be counted. */
export interface Click {
  /** Minted once by the producer, or the event's own id if the producer didn't send one. */
  id: string;
  code: string;
  /** When the visitor followed the link: an ISO 8601 instant in UTC. */
  at: string;
  /** The click's UTC day, yyyy-mm-dd. */
  day: string;
  /** The attributes of the day's item that the click increments, besides the count. */
  breakdowns: string[];
  /** The values of its UTM parameters. */
  campaign: Campaign;
  /** The visitor's, if a person followed the link. */
  mark?: number | undefined;
}

/** A click whose campaign's values have got their numbers. */
export interface NumberedClick extends Omit<Click, 'campaign'> {
  /** The attributes that it increments in the item of its day's campaigns. None without a campaign. */
  counters: string[];
}

/** The message isn't a valid click. `message` quotes it; `loggable` doesn't. */
export class InvalidClickError extends Error {
  override name = 'InvalidClickError';
  /** Safe to log. */
  readonly loggable: string;

  constructor(message: string, loggable = message) {
    super(message);
    this.loggable = loggable;
  }
}

export const messageSubject: Subject = {
  name: 'the message',
  reject: (reason, loggable) => new InvalidClickError(reason, loggable),
};

// UTF-8 encodes all unpaired surrogates as the same character, so two such ids would be one key.
const expectedId = `a string of at most ${maxIdLength} characters`;
const idSchema = z.string(expectedId).check(
  z.maxLength(maxIdLength, expectedId),
  z.refine((id) => id.isWellFormed(), 'well-formed Unicode'),
);

const expectedInstant = 'an ISO 8601 instant with a zone, such as 2026-05-26T10:00:00Z';

// Fits a UUID, or several parts joined by dots, colons or hyphens. URLs and e-mail addresses don't
// match.
const loggableIdSchema = z.string().check(z.regex(/^[\w.:-]+$/), z.maxLength(maxIdLength));

export const eventSchema = z.object(
  {
    id: z.nullish(idSchema),
    // The other fields are breakdown values, which are never rejected.
    detail: z.looseObject(
      {
        clickId: z.nullish(idSchema),
        code: codeSchema,
        at: z.iso.datetime({ offset: true, error: expectedInstant }),
      },
      'an object',
    ),
  },
  'an object',
);

/** Parses a message's JSON. Throws {@link InvalidClickError} if it's too long, or no JSON. */
export function parseMessage(body: string): unknown {
  // A record that didn't come from SQS may lack a body.
  checkBytes(Buffer.byteLength(String(body)), maxMessageBytes, messageSubject);
  return parseJson(body, messageSubject);
}

/**
 * Reads a click from an event of EventBridge, or from the bare `{ id, detail: { code, at } }`. Throws
 * {@link InvalidClickError}, which names each invalid field.
 */
export function readClick(event: unknown, nowMs: number = Date.now()): Click {
  const { id, detail } = parse(eventSchema, event, messageSubject);
  const clickId = detail.clickId || id;
  if (!clickId) throw new InvalidClickError('expected id or detail.clickId; got neither');
  // Alone, such an event would be an envelope.
  if (Array.isArray(detail.clicks)) {
    throw invalidFieldError('detail.clicks', 'absent from a click', detail.clicks);
  }
  const instant = parseInstant(detail.at, nowMs);
  const attributes = chooseAttributes(detail, instant);
  // Otherwise, the day's breakdowns would no longer sum to its count.
  const areDistinct = new Set(attributes).size === breakdowns.length;
  invariant(areDistinct, 'one attribute for each breakdown', attributes);
  return {
    id: clickId,
    code: detail.code,
    at: instant.toISOString(),
    day: utcDay(instant.getTime()),
    breakdowns: attributes,
    campaign: chooseCampaign(detail),
    mark: attributes.includes(humanAttribute) ? chooseMark(detail) : undefined,
  };
}

/** Like a breakdown's value, an invalid mark isn't rejected: the click counts without a visitor. */
function chooseMark({ visitorMark }: Readonly<Record<string, unknown>>): number | undefined {
  return isMark(visitorMark) ? visitorMark : undefined;
}

export function invalidFieldError(field: string, expectation: string, value: unknown) {
  const name = `"${field}"`;
  const loggable = expected(name, expectation, value, describeForLog);
  return new InvalidClickError(expected(name, expectation, value), loggable);
}

/** A message's id and code for an operator: best effort, not validated. */
export function identifyClick(body: string): { clickId?: string; code?: string } {
  try {
    return identifyEvent(JSON.parse(body));
  } catch {
    return {};
  }
}

/** An event's id and code for the log, if they look valid. */
export function identifyLoggable(event: unknown): { clickId?: string; code?: string } {
  const { clickId, code } = identifyEvent(event);
  return { ...pick({ clickId }, loggableIdSchema), ...pick({ code }, codeSchema) };
}

/** An event's id and code for an operator: best effort, not validated. */
export function identifyEvent(event: unknown): { clickId?: string; code?: string } {
  const detail = readField(event, 'detail');
  const clickId = readField(detail, 'clickId') || readField(event, 'id');
  return pick({ clickId, code: readField(detail, 'code') }, z.string());
}

/**
 * The fields that all deliveries of a click id must agree on, as JMESPath for Powertools' payload
 * validation.
 */
export const clickValidation = '[code, day]';

/** The hash of the fields in {@link clickValidation}, as Powertools computes it. */
export function hashClick({ code, day }: Pick<Click, 'code' | 'day'>): string {
  return createHash('md5')
    .update(JSON.stringify([code, day]))
    .digest('base64');
}

/** The attributes of a click's marker, besides its id. */
export const clickMarkerAttributes = {
  code: ({ code }: Pick<Click, 'code'>) => code,
  day: ({ day }: Pick<Click, 'day'>) => day,
};

/**
 * A click adds one to its link, which must exist, and to its day's count, breakdowns and campaigns. The
 * link also counts people and bots, so that a list needn't read its days. The link must not be deleted
 * before the click, or have got its code from a deleted link after it.
 */
export function clickEffects({ code, at, day, breakdowns, counters }: NumberedClick): Effects {
  const link = linkKey(code);
  const key = dayKey(code, day);
  const bounds = { since: { atMost: at }, deletedAt: { atLeast: earliestDeletion(at) } };
  const personOrBot = breakdowns.filter((name) => name === humanAttribute || name === botAttribute);
  const ofDay = ['count', ...breakdowns, ...(counters.length > 0 ? [campaignAttribute] : [])];
  return {
    increments: [
      { key: link, attribute: 'clicks', by: 1, mustExist: true, bounds },
      ...personOrBot.map((attribute) => ({ key: link, attribute, by: 1 })),
      ...ofDay.map((attribute) => ({ key, attribute, by: 1 })),
      ...countCampaign(code, day, counters),
    ],
  };
}

/** Whether a link counts clicks of this time: `clickEffects` has the same condition. */
export function countsAt(at: string, { since = at, deletedAt = at }: LinkLife): boolean {
  return since <= at && deletedAt >= earliestDeletion(at);
}

/** When a link was deleted, and since when it has had the code of another one. ISO 8601 instants. */
export interface LinkLife {
  since?: string;
  deletedAt?: string;
}

function earliestDeletion(at: string): string {
  return new Date(Date.parse(at) - countedAfterDeletionMs).toISOString();
}

function pick(values: Record<string, unknown>, schema: z.ZodMiniType<string>) {
  const valid = Object.entries(values).filter(([, value]) => schema.safeParse(value).success);
  return Object.fromEntries(valid) as Record<string, string>;
}

function parseInstant(at: string, nowMs: number): Date {
  const instantMs = Date.parse(at);
  if (instantMs > nowMs + maxAheadMs) {
    throw invalidFieldError('detail.at', 'at most 24 hours ahead', at);
  }
  if (!(instantMs >= 0)) {
    throw invalidFieldError('detail.at', 'in 1970 or later', at);
  }
  return new Date(instantMs);
}
