import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Expressions, readExpressions } from '../../../../fixtures/dynamodb-expressions.ts';
import { toActions, toItemId } from '../../src/actions.ts';
import type { Effects } from '../../src/effects.ts';
import type { Entry, Item, ItemMarker } from '../../src/entry.ts';
import { ConditionFailedError, ItemMissingError } from '../../src/errors.ts';
import { toSlotMarker } from '../../src/slot-marker.ts';

const expirySeconds = 2_000_000_000;

/** The attributes of the tests' markers. */
const names = { expiry: 'ttl', hash: 'validation', response: 'data' };

const tables = new Map([
  ['orders', ['PK', 'SK']],
  ['customers', ['id']],
]);

/** The actions of effects on the table `orders`. */
export const actionsOf = (effects: Effects) => toActions(effects, tables);

/** An entry that adds one to an account's total, which must exist, and one to its day. */
export function makeEntry(id: string, account = 'a', changes: Partial<Entry> = {}): Entry {
  return {
    idempotencyKey: `ORDER#${id}`,
    payloadHash: 'hash',
    marker: makeMarker({ PK: { S: `ORDER#${id}` }, SK: { S: 'ORDER' } }),
    actions: actionsOf({
      increments: [
        { key: { PK: account, SK: 'TOTAL' }, attribute: 'orders', by: 1, mustExist: true },
        { key: { PK: account, SK: 'DAY' }, attribute: 'orders', by: 1 },
      ],
    }),
    deadlineMs: Date.now() + 60_000,
    ...changes,
  };
}

/** An entry that has these effects on the table `orders`. */
export const entryOf = (id: string, effects: Effects) =>
  makeEntry(id, '', { actions: actionsOf(effects) });

/** A marker that is an item of its own. */
export function makeMarker(itemKey: Item, changes: Partial<ItemMarker> = {}): ItemMarker {
  const item = { ...itemKey, ttl: { N: `${expirySeconds}` } };
  const key = Object.fromEntries(Object.entries(itemKey).map(([name, { S }]) => [name, S]));
  const itemId = toItemId('orders', key);
  return {
    kind: 'marker',
    itemId,
    tableName: 'orders',
    itemKey,
    bytes: 100,
    names,
    item,
    ...changes,
  };
}

/** An entry as {@link makeEntry} makes it, whose marker is a slot of a sheet. */
export function makeSlotEntry(sheet: string, slot: number, account = 'a'): Entry {
  const key = { sheetKey: { PK: sheet, SK: 'ORDER' }, index: slot };
  const payloadHash = Buffer.from(`hash of ${account}`).toString('base64');
  const marker = toSlotMarker({ tableName: 'orders', names }, key, payloadHash, expirySeconds);
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

/** The error of an increment whose item doesn't exist. */
export const missingError = (key: Record<string, string>) =>
  new ItemMissingError(`expected the item ${JSON.stringify(key)} to exist; it doesn't`, { key });

/** The error of a write to the table `orders` whose condition failed. */
export const conditionError = (key: Record<string, string>, item?: object) =>
  new ConditionFailedError(`the condition of a write to orders failed at ${JSON.stringify(key)}`, {
    tableName: 'orders',
    key,
    item: item && { ...item },
  });
