export const maxCodeLength = 64;
/** A dot is inside the code, before a letter or digit, so no code is a path such as "..". */
export const codePattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9][A-Za-z0-9_-]*)*$/;

export function isCode(text: string): boolean {
  return text.length <= maxCodeLength && codePattern.test(text);
}

/**
 * The codes whose links prevent a new one. A visitor who capitalizes a code reaches its lower-case
 * form, so nobody may take that visitor away from a lower-case code.
 */
export function listConflictingCodes(code: string): string[] {
  return [...new Set([code, code.toLowerCase()])];
}

/** The key of a link's own item, which holds its URL and its total clicks. */
export function linkKey(code: string) {
  return { PK: `LINK#${code}`, SK: 'META' };
}

/** The key of a link's newest version, which only changes of the link itself write. */
export function changeKey(code: string) {
  return { PK: `CHANGE#${code}`, SK: 'CHANGE' };
}

/** The key of a link's clicks on a UTC day (yyyy-mm-dd). A link's days sort by date. */
export function dayKey(code: string, day: string) {
  return { PK: `LINK#${code}`, SK: `STAT#${day}` };
}

/**
 * The key of the campaigns of a link's clicks on a UTC day (yyyy-mm-dd). They sort after its days, and
 * like these by date.
 */
export function campaignKey(code: string, day: string) {
  return { PK: `LINK#${code}`, SK: `UTM#${day}` };
}

/** The key of the values that a UTM parameter has on a day. It sorts after the day's campaigns. */
export function campaignValuesKey(code: string, day: string, parameter: string) {
  return { PK: `LINK#${code}`, SK: `UTM#${day}#${parameter}` };
}

/** A key after all campaigns and values of a day, and before those of the next one. */
export function campaignsEnd(code: string, day: string) {
  return { PK: `LINK#${code}`, SK: `UTM#${day}$` };
}

/** The key of a link's visitors on a UTC day (yyyy-mm-dd). They sort after its campaigns. */
export function visitorsKey(code: string, day: string) {
  return { PK: `LINK#${code}`, SK: `VISITORS#${day}` };
}

/** The key of the key that visitors are hashed with. */
export const visitorKeyKey = { PK: 'VISITORS', SK: 'KEY' };

/**
 * The key of a link's sums by day, which its owner's overview stores. They have a partition of their own, so
 * that the role that writes them can't write links.
 */
export function sumsKey(code: string) {
  return { PK: `SUMS#${code}`, SK: 'SUMS' };
}

/** The key of the number of links that an owner created on a UTC day (yyyy-mm-dd). */
export function ownerDayKey(owner: string, day: string) {
  return { PK: `OWNER#${owner}`, SK: `LINKS#${day}` };
}

/** The key of the marker of a link that its owner created with an idempotency key. */
export function creationMarkerKey(owner: string, key: string) {
  return { PK: `IMPORT#${owner}#${key}`, SK: 'IMPORT' };
}

/** The key of a link's deletion, which lasts until the link is restored or purged. They sort by time. */
export function deletionKey(deletedAt: string, code: string) {
  return { PK: 'DELETED', SK: `${deletedAt}#${code}` };
}

/** The owner of a user's deleted links, so that the index lists them apart from the others. */
export function deletedOwner(owner: string): string {
  return `DELETED#${owner}`;
}

/** The index in infra/table.yml that lists each owner's links by `createdAt`. */
export const ownerIndexName = 'LinksByOwner';

export function connectionKey(id: string) {
  return { PK: `CONNECTION#${id}`, SK: 'CONNECTION' };
}

/** The key of when the last of all connections will have ended, at the latest. */
export const anyConnectionKey = { PK: 'CONNECTIONS', SK: 'CONNECTIONS' };

/** The key of the list of a user's live connections. */
export function userConnectionsKey(owner: string) {
  return { PK: `CONNECTIONS#${owner}`, SK: 'CONNECTIONS' };
}

/** The key of a user's number of requests in a minute, counted since the epoch. */
export function userRequestsKey(owner: string, minute: number) {
  return { PK: `REQUESTS#${owner}`, SK: `${minute}` };
}

/** The key of an API key, by its id. */
export function apiKeyItemKey(id: string) {
  return { PK: `KEY#${id}`, SK: 'KEY' };
}

/** The key of the list of a user's API keys. */
export function userApiKeysKey(user: string) {
  return { PK: `KEYS#${user}`, SK: 'KEYS' };
}

/** The key of a connection's watch on a link. One query finds all watchers of a link. */
export function watchKey(code: string, connectionId: string) {
  return { PK: `WATCH#${code}`, SK: `CONNECTION#${connectionId}` };
}

/** Powertools puts this prefix before the click id to make the idempotency key. */
export const clickKeyPrefix = 'CLICK';

/** The sort key of all markers. */
export const clickMarkerSortKey = 'CLICK';

/** The key of a click's marker, from the idempotency key `CLICK#<click id>`. */
export function clickMarkerKey(idempotencyKey: string) {
  return { PK: idempotencyKey, SK: clickMarkerSortKey };
}

/** The key prefix of sheets, which hold the markers of many clicks. */
export const clickSheetPrefix = 'CLICKS';

export function clickSheetKey(sheet: string) {
  return { PK: `${clickSheetPrefix}#${sheet}`, SK: clickMarkerSortKey };
}
