import * as z from 'zod/mini';

const expectedCode = '4 to 32 letters, digits, "-" or "_"';

/** A link's code. */
export const codeSchema = z
  .string(expectedCode)
  .check(z.regex(/^[A-Za-z0-9_-]{4,32}$/, expectedCode));

/** The key of a link's own item, which holds its URL and its total of clicks. */
export function linkKey(code: string) {
  return { PK: `LINK#${code}`, SK: 'META' };
}

/** The key of a link's clicks of one UTC day (yyyy-mm-dd); a link's days sort by date. */
export function dayKey(code: string, day: string) {
  return { PK: `LINK#${code}`, SK: `STAT#${day}` };
}

/** The prefix of a click's idempotency key; Powertools puts it before the click id. */
export const clickKeyPrefix = 'CLICK';

/** The key of a click's marker, from the idempotency key `CLICK#<click id>`. */
export function clickMarkerKey(idempotencyKey: string) {
  return { PK: idempotencyKey, SK: clickKeyPrefix };
}
