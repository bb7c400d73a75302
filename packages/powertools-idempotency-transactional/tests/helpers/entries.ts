import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Expressions, readExpressions } from '../../../../fixtures/dynamodb-expressions.ts';
import { type Entry, groupByItem, type Marker } from '../../src/entry.ts';
import { toSlotMarker } from '../../src/sheet.ts';

type Item = Record<string, AttributeValue>;

const expirySeconds = 2_000_000_000;

/** An entry that adds one to an account's total, which must exist, and one to its day. */
export function makeEntry(id: string, account = 'a', changes: Partial<Entry> = {}): Entry {
  return {
    idempotencyKey: `ORDER#${id}`,
    payloadHash: 'hash',
    marker: makeMarker({ PK: { S: `ORDER#${id}` }, SK: { S: 'ORDER' } }),
    updates: groupByItem([
      { key: { PK: account, SK: 'TOTAL' }, attribute: 'orders', by: 1, mustExist: true },
      { key: { PK: account, SK: 'DAY' }, attribute: 'orders', by: 1 },
    ]),
    writes: [],
    deadlineMs: Date.now() + 60_000,
    ...changes,
  };
}

/** A marker that is an item of its own. */
export function makeMarker(itemKey: Item, attributes: Item = {}): Marker {
  const item = { ...itemKey, ttl: { N: `${expirySeconds}` }, ...attributes };
  return { kind: 'item', itemKey, item };
}

/** An entry as {@link makeEntry} makes it, whose marker is a slot of a sheet. */
export function makePlacedEntry(sheet: string, slot: number, account = 'a'): Entry {
  const place = { key: { PK: sheet, SK: 'ORDER' }, slot };
  const payloadHash = Buffer.from(`hash of ${account}`).toString('base64');
  const marker = toSlotMarker(place, payloadHash, expirySeconds);
  return makeEntry(`${sheet}.${slot}`, account, { marker, payloadHash });
}

/** `count` entries of one account. */
export function makeEntries(count: number, account = 'a'): Entry[] {
  return Array.from({ length: count }, (_, index) => makeEntry(`${account}-${index}`, account));
}

/** What DynamoDB makes of a stored item; undefined if the action's condition fails. */
export function applyAction(
  { Put, Update }: TransactWriteItem = {},
  stored?: Item,
): Item | undefined {
  // The model takes values as they are on the wire, but it looks at numbers only.
  const { condition, update } = readExpressions((Put ?? Update) as Expressions);
  const before = (stored ?? Update?.Key ?? {}) as Parameters<typeof update>[0];
  if (!condition(stored ? before : {})) return undefined;
  return Put ? Put.Item : (update(before) as Item);
}
