import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Effects } from '../idempotency/index.ts';
import { codeSchema, dayKey, linkKey } from '../keys.ts';
import { expected, parse, parseJson, type Subject } from '../validation.ts';
import { chooseAttributes } from './breakdowns.ts';

export const clickSource = 'click-tally';
export const clickDetailType = 'link.clicked';

const maxIdLength = 256;

/** A click may be this far ahead of the clock. */
export const maxAheadMs = 24 * 60 * 60 * 1000;

/** One click, ready to be counted. */
export interface Click {
  /** Minted once by the producer; the event's own id if the producer sent none. */
  id: string;
  code: string;
  /** The UTC day of the click, yyyy-mm-dd. */
  day: string;
  /** The attributes of the day's item that the click raises beside the count. */
  breakdowns: string[];
}

/** The message is not a valid click. */
export class InvalidClickError extends Error {
  override name = 'InvalidClickError';
}

const message: Subject = {
  name: 'the message',
  refuse: (reason) => new InvalidClickError(reason),
};

// In UTF-8, unpaired surrogates become the same character: two such ids would be one key.
const expectedId = `a string of at most ${maxIdLength} characters`;
const idSchema = z.string(expectedId).check(
  z.maxLength(maxIdLength, expectedId),
  z.refine((id) => id.isWellFormed(), 'well-formed Unicode'),
);

const expectedInstant = 'an ISO 8601 instant with a zone, such as 2026-05-26T10:00:00Z';

const eventSchema = z.object(
  {
    id: z.nullish(idSchema),
    // Its other fields are the values of breakdowns, which are never refused.
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

/**
 * Parses a click from a message: EventBridge's envelope, or the bare `{ id, detail: { code, at } }`.
 *
 * @throws {InvalidClickError} naming each invalid field.
 */
export function parseClick(body: string, nowMs: number = Date.now()): Click {
  const { id, detail } = parse(eventSchema, parseJson(body, message), message);
  const clickId = detail.clickId || id;
  if (!clickId) throw new InvalidClickError('expected id or detail.clickId; got neither');
  const instant = parseInstant(detail.at, nowMs);
  return {
    id: clickId,
    code: detail.code,
    day: instant.toISOString().slice(0, 'yyyy-mm-dd'.length),
    breakdowns: chooseAttributes(detail, instant),
  };
}

/** The id and code of a message as far as it has any, valid or not, to find it again in logs. */
export function identifyClick(body: string): { clickId?: string; code?: string } {
  try {
    const { id, detail } = JSON.parse(body);
    return pickStrings({ clickId: detail?.clickId || id, code: detail?.code });
  } catch {
    return {};
  }
}

/** What deliveries of one click id must agree on: JMESPath for Powertools' payload validation. */
export const clickValidation = '[code, day]';

/** The hash of what {@link clickValidation} selects, as Powertools computes it. */
export function hashClick({ code, day }: Pick<Click, 'code' | 'day'>): string {
  return createHash('md5')
    .update(JSON.stringify([code, day]))
    .digest('base64');
}

/** What a click's marker says about it, beside its id. */
export const clickMarkerAttributes = {
  code: ({ code }: Click) => code,
  day: ({ day }: Click) => day,
};

/** A click adds one to its link, which must exist, and to its day, in all and in each breakdown. */
export function clickEffects({ code, day, breakdowns }: Click): Effects {
  const key = dayKey(code, day);
  return {
    increments: [
      { key: linkKey(code), attribute: 'clicks', by: 1, mustExist: true },
      ...['count', ...breakdowns].map((attribute) => ({ key, attribute, by: 1 })),
    ],
  };
}

function pickStrings(values: Record<string, unknown>): Record<string, string> {
  const strings = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(strings.map(([name, value]) => [name, value.slice(0, maxIdLength)]));
}

function parseInstant(at: string, nowMs: number): Date {
  const instantMs = Date.parse(at);
  if (instantMs > nowMs + maxAheadMs) {
    throw new InvalidClickError(expected('detail.at', 'at most 24 hours ahead', at));
  }
  if (!(instantMs >= 0)) {
    throw new InvalidClickError(expected('detail.at', 'in 1970 or later', at));
  }
  return new Date(instantMs);
}
