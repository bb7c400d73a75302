import * as z from 'zod/mini';
import type { Effects } from '../idempotency/index.ts';
import { dayKey, linkKey } from '../keys.ts';

export const clickSource = 'click-tally';
export const clickDetailType = 'link.clicked';

/** What a link's code may be. */
export const codePattern = /^[A-Za-z0-9_-]{4,32}$/;

const maxIdLength = 256;
/** How far ahead of the clock a click may be. */
export const maxAheadMs = 24 * 60 * 60 * 1000;
const shownLength = 80;

/** One click, as it is counted. */
export interface Click {
  /** Minted once by the producer, or the bus event's own id where it minted none. */
  id: string;
  code: string;
  /** The UTC day of the click, yyyy-mm-dd. */
  day: string;
}

/** A message that is no click: it says what was expected and what came. */
export class InvalidClickError extends Error {
  override name = 'InvalidClickError';
}

// Two ids with unpaired surrogates would become one key in UTF-8, and one click would be lost.
const expectedId = `a string of ${maxIdLength} characters at most`;
const idSchema = z.string(expectedId).check(
  z.maxLength(maxIdLength, expectedId),
  z.refine((id) => id.isWellFormed(), 'well-formed Unicode'),
);

const expectedCode = '4 to 32 letters, digits, "-" or "_"';
const expectedInstant = 'an ISO 8601 instant with a zone, such as 2026-05-26T10:00:00Z';

const eventSchema = z.object(
  {
    id: z.nullish(idSchema),
    detail: z.object(
      {
        clickId: z.nullish(idSchema),
        code: z.string(expectedCode).check(z.regex(codePattern, expectedCode)),
        at: z.iso.datetime({ offset: true, error: expectedInstant }),
      },
      'an object',
    ),
  },
  'an object',
);

/**
 * Reads a click from a message: the bus's envelope, or the bare `{ id, detail: { code, at } }`.
 *
 * @throws {InvalidClickError} naming the field, what was expected and what came.
 */
export function parseClick(body: string, nowMs: number = Date.now()): Click {
  const event = parseJson(body);
  const parsed = eventSchema.safeParse(event);
  if (!parsed.success) throw describeIssue(parsed.error.issues[0], event);
  const { id, detail } = parsed.data;
  const clickId = detail.clickId || id;
  if (!clickId) throw new InvalidClickError('expected id or detail.clickId; got neither');
  return { id: clickId, code: detail.code, day: dayOf(detail.at, nowMs) };
}

/** What can be told of a message whatever is wrong with it, to find it again in logs. */
export function identifyClick(body: string): { clickId?: string; code?: string } {
  try {
    const { id, detail } = JSON.parse(body);
    return pickStrings({ clickId: detail?.clickId || id, code: detail?.code });
  } catch {
    return {};
  }
}

/** What a click must cause: one more on its link, which must exist, and one more on its day. */
export function clickEffects({ code, day }: Click): Effects {
  return {
    marker: { code, day },
    increments: [
      { key: linkKey(code), attribute: 'clicks', by: 1, mustExist: true },
      { key: dayKey(code, day), attribute: 'count', by: 1 },
    ],
  };
}

function pickStrings(values: Record<string, unknown>): Record<string, string> {
  const strings = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(strings.map(([name, text]) => [name, text.slice(0, maxIdLength)]));
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new InvalidClickError(`expected JSON; got ${show(body)}`);
  }
}

function dayOf(at: string, nowMs: number): string {
  const instantMs = Date.parse(at);
  if (instantMs > nowMs + maxAheadMs) {
    throw new InvalidClickError(`expected detail.at at most 24 hours ahead; got ${show(at)}`);
  }
  if (!(instantMs >= 0)) {
    throw new InvalidClickError(`expected detail.at since 1970; got ${show(at)}`);
  }
  return new Date(instantMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function describeIssue(issue: z.core.$ZodIssue | undefined, event: unknown): InvalidClickError {
  const path = issue?.path ?? [];
  const came = path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    event,
  );
  const field = path.length === 0 ? 'the message' : path.join('.');
  return new InvalidClickError(`expected ${field} to be ${issue?.message}; got ${show(came)}`);
}

// Deep nesting overflows the stack.
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return `a deep ${typeof value}`;
  }
}

function show(value: unknown): string {
  const text = stringify(value) ?? 'nothing';
  return text.length > shownLength ? `${text.slice(0, shownLength)}… (${text.length})` : text;
}
