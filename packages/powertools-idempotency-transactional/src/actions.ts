import { inspect } from 'node:util';
import { marshall } from '@aws-sdk/util-dynamodb';
import { isAmount, printAmount } from './amounts.ts';
import type { Effects, Increment, NativeItem, Write, WriteOptions } from './effects.ts';
import {
  type Action,
  allActionsOf,
  type Entry,
  type IncrementAction,
  type Item,
  maxItems,
  type WriteAction,
} from './entry.ts';
import { InvalidEffectsError } from './errors.ts';
import { printKey } from './print-key.ts';

/** The key attributes of each table, by its name. The first is the layer's own table. */
export type TableKeys = ReadonlyMap<string, readonly string[]>;

/**
 * Converts effects into one action for each item.
 *
 * @throws {InvalidEffectsError} for a Put whose key is unknown, or a value that DynamoDB doesn't accept.
 */
export function toActions({ increments = [], writes = [] }: Effects, tables: TableKeys): Action[] {
  const [ownTable = ''] = tables.keys();
  const writeActions = writes.map((write) => toWriteAction(write, tables, ownTable));
  return [...groupByItem(increments, ownTable), ...writeActions];
}

function groupByItem(increments: readonly Increment[], ownTable: string): IncrementAction[] {
  const actions = new Map<string, IncrementAction & { increments: Increment[] }>();
  let last: (IncrementAction & { increments: Increment[] }) | undefined;
  for (const increment of increments) {
    const { key, tableName = ownTable, attribute, by } = increment;
    if (!isAmount(by)) {
      const expected = `expected "by" of ${attribute} to be a number that DynamoDB can store`;
      throw new InvalidEffectsError(`${expected}; got ${inspect(by)}`);
    }
    // Increments of one item often share its key object, which saves computing its id.
    if (!last || last.key !== key || last.tableName !== tableName) {
      const itemId = toItemId(tableName, key);
      const target = { itemId, tableName, key, itemKey: toItemKey(key), bytes: 0 };
      last = actions.get(itemId) ?? { kind: 'increment', ...target, increments: [] };
      actions.set(itemId, last);
    }
    last.increments.push(increment);
  }
  return [...actions.values()];
}

function toWriteAction(write: Write, tables: TableKeys, ownTable: string): WriteAction {
  const operations = Object.entries<WriteFields | undefined>(write).filter(([, fields]) => fields);
  const [[operation, fields] = ['', undefined]] = operations;
  if (!fields || operations.length > 1) {
    const got = Object.keys(write).join(' and ') || 'none';
    throw new InvalidEffectsError(`expected a write to be one operation; got ${got}`);
  }
  const { Item, Key, ExpressionAttributeValues, TableName = ownTable, ...rest } = fields;
  const key = Key ?? pickKey(Item ?? {}, TableName, tables);
  const itemKey = toAttributes(key);
  const target = Item ? { Item: toAttributes(Item) } : { Key: itemKey };
  const request = {
    ...rest,
    ...target,
    TableName,
    ExpressionAttributeValues: ExpressionAttributeValues && toAttributes(ExpressionAttributeValues),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const isCheck = operation === 'ConditionCheck' || isRepeatable(operation, fields, itemKey);
  return {
    kind: 'write',
    itemId: toItemId(TableName, key),
    tableName: TableName,
    key,
    itemKey,
    bytes: Buffer.byteLength(JSON.stringify(target)),
    request: { [operation]: request },
    ...(isCheck && { sameAs: `${operation} ${JSON.stringify(request)}` }),
  };
}

/** Whether a Put can be made again right after itself, with the same result: it only checks that the item exists. */
function isRepeatable(operation: string, fields: WriteFields, itemKey: Item): boolean {
  if (operation !== 'Put') return false;
  const { ConditionExpression, ExpressionAttributeNames = {} } = fields;
  if (ConditionExpression === undefined) return true;
  const [, name = ''] =
    /^\s*attribute_exists\s*\(\s*(#?\w+)\s*\)\s*$/.exec(ConditionExpression) ?? [];
  return Object.hasOwn(itemKey, ExpressionAttributeNames[name] ?? name);
}

type WriteFields = WriteOptions & { Item?: NativeItem; Key?: NativeItem };

function pickKey(given: NativeItem, tableName: string, tables: TableKeys): NativeItem {
  const item: Record<string, unknown> = { ...given };
  const names = tables.get(tableName);
  if (!names) {
    const expected = `expected "tables" to name the key attributes of ${tableName}`;
    throw new InvalidEffectsError(`${expected}; got ${[...tables.keys()].join(', ')}`);
  }
  const missing = names.find((name) => item[name] === undefined);
  if (missing === undefined) return Object.fromEntries(names.map((name) => [name, item[name]]));
  throw new InvalidEffectsError(`expected an item of ${tableName} to have its key ${missing}`);
}

/** @throws {InvalidEffectsError} for values that can't be part of a key. */
function toItemKey(key: Readonly<Record<string, unknown>>): Item {
  const itemKey: Item = {};
  for (const [name, value] of Object.entries(key)) {
    // Nearly all keys are strings, and the SDK's conversion takes microseconds.
    const part = typeof value === 'string' ? { S: value } : toAttributes({ [name]: value })[name];
    if (part?.S === undefined && part?.N === undefined && part?.B === undefined) {
      const expected = `expected ${name} of a key to be a string, a number or bytes`;
      throw new InvalidEffectsError(`${expected}; got ${inspect(value)}`);
    }
    itemKey[name] = part;
  }
  return itemKey;
}

/** Drops undefined values. @throws {InvalidEffectsError} for values that DynamoDB doesn't accept. */
export function toAttributes(item: NativeItem): Item {
  try {
    // Its type takes class instances only if it may convert them.
    return marshall({ ...item }, { removeUndefinedValues: true });
  } catch (error) {
    // The SDK advises options that only a caller of marshall can set.
    const [reason] = String(error).split(/,? (or|Pass) options\./);
    throw new InvalidEffectsError(`expected values that DynamoDB can store; got ${reason}`);
  }
}

/**
 * Identifies an item. Keys differ only if their ids do, because each part is preceded by its length,
 * and a table's name has no slash.
 */
export function toItemId(tableName: string, key: Readonly<Record<string, unknown>>): string {
  let id = `${tableName}/`;
  for (const name of Object.keys(key).sort()) {
    const part = key[name];
    const value = typeof part === 'string' ? part : identifyPart(part);
    id += `${name.length}:${name}${value.length}:${value}`;
  }
  return id;
}

// Different bytes can be the same text, and one number can be written in several ways.
function identifyPart(part: unknown): string {
  const { B: bytes, N: number } = toAttributes({ part }).part ?? {};
  if (bytes !== undefined) return Buffer.from(bytes).toString('base64');
  return number === undefined ? String(part) : printAmount(number);
}

/** Converts strings and numbers to low-level values. @throws {TypeError} for anything else. */
export function toItem(attributes: Readonly<Record<string, string | number>>): Item {
  const item: Item = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') item[name] = { S: value };
    else if (Number.isFinite(value)) item[name] = { N: String(value) };
    else throw new TypeError(`expected ${name} to be a string or a number; got ${value}`);
  }
  return item;
}

/** @throws {InvalidEffectsError} if an entry doesn't fit into one transaction. */
export function checkEntry(entry: Entry): void {
  const all = allActionsOf(entry);
  if (all.length > maxItems) {
    const others = all.length - entry.actions.length;
    const expected = `expected effects on at most ${maxItems - others} items`;
    throw new InvalidEffectsError(`${expected}; got ${entry.actions.length}`);
  }
  const ids = new Set<string>(entry.marker && [entry.marker.itemId]);
  for (const { itemId, key } of entry.actions) {
    if (ids.has(itemId)) {
      const expected = 'expected one write for each item of a payload, and none for its marker';
      throw new InvalidEffectsError(`${expected}; got another for ${printKey(key)}`);
    }
    ids.add(itemId);
  }
}
