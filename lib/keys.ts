/** The key of a link's own item, which holds its URL and the sum of its clicks. */
export function linkKey(code: string) {
  return { PK: `LINK#${code}`, SK: 'META' };
}

/** The key of a link's clicks of one UTC day (yyyy-mm-dd); a link's days sort by date. */
export function dayKey(code: string, day: string) {
  return { PK: `LINK#${code}`, SK: `STAT#${day}` };
}

/** What a click's marker begins with; Powertools puts it before the click's id. */
export const clickKeyPrefix = 'CLICK';

/** The key of a click's marker, from the idempotency key `CLICK#<click id>`. */
export function clickMarkerKey(idempotencyKey: string) {
  return { PK: idempotencyKey, SK: clickKeyPrefix };
}
