import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type Entry,
  maxItems,
  type NativeItem,
  type OwnWrite,
  toItemId,
  type Write,
  type WriteOptions,
} from './entry.ts';
import { InvalidEffectsError } from './errors.ts';

/** By a table's name, its key attributes. The first is the layer's own table. */
export type TableKeys = ReadonlyMap<string, readonly string[]>;

/**
 * A write as the low-level client takes it.
 *
 * @throws {InvalidEffectsError} for a Put whose key is unknown.
 */
export function toOwnWrite(write: Write, tables: TableKeys): OwnWrite {
  const [ownTable = ''] = tables.keys();
  const [kind = '', fields] = Object.entries<WriteFields>(write)[0] ?? [];
  const { Item, Key, ExpressionAttributeValues, TableName = ownTable, ...rest } = fields ?? {};
  const key = Key ?? pickKey(Item ?? {}, TableName, tables);
  const target = Item ? { Item: toAttributes(Item) } : { Key: toAttributes(key) };
  return {
    id: toItemId(key, TableName === ownTable ? undefined : TableName),
    tableName: TableName,
    key,
    action: {
      [kind]: {
        ...rest,
        ...target,
        TableName,
        ...(ExpressionAttributeValues && {
          ExpressionAttributeValues: toAttributes(ExpressionAttributeValues),
        }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    bytes: Buffer.byteLength(JSON.stringify(target)),
  };
}

type WriteFields = WriteOptions & { Item?: NativeItem; Key?: NativeItem };

function pickKey(item: NativeItem, tableName: string, tables: TableKeys): NativeItem {
  const names = tables.get(tableName);
  if (!names) {
    const expected = `expected the layer's "tables" to name the key attributes of ${tableName}`;
    throw new InvalidEffectsError(`${expected}; got ${[...tables.keys()].join(', ')}`);
  }
  const missing = names.find((name) => item[name] === undefined);
  if (missing === undefined) return Object.fromEntries(names.map((name) => [name, item[name]]));
  throw new InvalidEffectsError(`expected an item of ${tableName} to have its key ${missing}`);
}

function toAttributes(item: NativeItem) {
  return marshall(item, { removeUndefinedValues: true });
}

/**
 * Checks that one transaction can hold an entry.
 *
 * @throws {InvalidEffectsError} if it cannot.
 */
export function checkEntry({ marker, updates, writes }: Entry): void {
  const count = 1 + updates.length + writes.length;
  if (count > maxItems) {
    const expected = `expected at most ${maxItems - 1} items beside the marker`;
    throw new InvalidEffectsError(`${expected}; got ${count - 1}`);
  }
  if (writes.length === 0) return;
  const ids = new Set([toItemId(unmarshall(marker.itemKey))]);
  for (const { id, key } of [...updates, ...writes]) {
    if (ids.has(id)) {
      const expected = 'expected one write for each item of a record, and none for its marker';
      throw new InvalidEffectsError(`${expected}; got another for ${JSON.stringify(key)}`);
    }
    ids.add(id);
  }
}
