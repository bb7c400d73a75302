import * as z from 'zod/mini';
import { type Place, slotsPerPage } from './idempotency/index.ts';

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

/** The prefix of the keys of pages, which hold the markers of many clicks. */
export const clickPagePrefix = 'CLICKS';

/** The key of a page of markers. */
export function clickPageKey(producer: string, page: number) {
  return { PK: `${clickPagePrefix}#${producer}#${page}`, SK: clickKeyPrefix };
}

/** A click id with a place of its own: the slot of a page that only this producer fills. */
export function placedClickId(producer: string, page: number, slot: number): string {
  return `${producer}.${page}.${slot}`;
}

const placedClick = new RegExp(
  `^${clickKeyPrefix}#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.(0|[1-9]\\d{0,8})\\.(0|[1-9]\\d{0,2})$`,
);

/**
 * The place of a click's marker, from the idempotency key `CLICK#<click id>`; undefined for an id
 * without a place, whose marker is an item of its own. Each place belongs to one id, because only
 * one spelling of it has a place.
 */
export function clickPlace(idempotencyKey: string): Place | undefined {
  const [, producer = '', page, slot] = placedClick.exec(idempotencyKey) ?? [];
  if (slot === undefined || Number(slot) >= slotsPerPage) return undefined;
  return { key: clickPageKey(producer, Number(page)), slot: Number(slot) };
}
