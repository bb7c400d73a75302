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

/** The key of the item that counts how many links an owner created on a UTC day (yyyy-mm-dd). */
export function ownerDayKey(owner: string, day: string) {
  return { PK: `OWNER#${owner}`, SK: `LINKS#${day}` };
}

/** The key of the item that holds the last known backlog of the queues, for all viewers. */
export const backlogKey = { PK: 'BACKLOG', SK: 'BACKLOG' };

/** The index of infra/table.yml that has each owner's links by `createdAt`. */
export const ownerIndexName = 'LinksByOwner';

/** The key of a connection of the live page. */
export function connectionKey(id: string) {
  return { PK: `CONNECTION#${id}`, SK: 'CONNECTION' };
}

/** The key of the item that lists a user's connections of the live page. */
export function userConnectionsKey(owner: string) {
  return { PK: `CONNECTIONS#${owner}`, SK: 'CONNECTIONS' };
}

/** The key of the item that counts a user's requests of one minute since the epoch. */
export function userRequestsKey(owner: string, minute: number) {
  return { PK: `REQUESTS#${owner}`, SK: `${minute}` };
}

/** The key of the item by which a connection watches a link; a link's watchers are one query. */
export function watchKey(code: string, connectionId: string) {
  return { PK: `WATCH#${code}`, SK: `CONNECTION#${connectionId}` };
}

/** The prefix of a click's idempotency key; Powertools puts it before the click id. */
export const clickKeyPrefix = 'CLICK';

/** The key of a click's marker, from the idempotency key `CLICK#<click id>`. */
export function clickMarkerKey(idempotencyKey: string) {
  return { PK: idempotencyKey, SK: clickKeyPrefix };
}

/** The prefix of the keys of sheets, which hold the markers of many clicks. */
export const clickSheetPrefix = 'CLICKS';

/** The key of a sheet of markers. */
export function clickSheetKey(sheet: string) {
  return { PK: `${clickSheetPrefix}#${sheet}`, SK: clickKeyPrefix };
}
