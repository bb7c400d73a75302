import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { addAmount } from './amounts.ts';
import { boundsOf, strictestOf } from './bounds.ts';
import {
  type Action,
  type Entry,
  type IncrementAction,
  type ItemMarker,
  type Marker,
  maxItems,
  type SlotMarker,
  sharingOf,
  toSeconds,
  type WriteAction,
} from './entry.ts';
import { groupBy } from './group-by.ts';
import { invariant } from './invariant.ts';

/** One TransactWriteItems request, and the meaning of each of its actions. */
export interface Transaction {
  entries: Entry[];
  /** In the order of the request: markers first. */
  actions: TransactionAction[];
  items: TransactWriteItem[];
}

/** What a transaction does to one item. If it fails, its entries do. */
export type TransactionAction = MarkerAction | Shared<IncrementAction> | Shared<WriteAction>;
type MarkerAction = Shared<ItemMarker> | Shared<SlotMarker>;

/** The parts of one or more entries on one item. */
export interface Shared<Part extends Marker | Action> {
  kind: Part['kind'];
  parts: [EntryPart<Part>, ...EntryPart<Part>[]];
}

interface EntryPart<Part> {
  entry: Entry;
  part: Part;
}

/** Whether an action sets markers. */
export function isMarker(action: TransactionAction): action is MarkerAction {
  return action.kind === 'marker' || action.kind === 'slot';
}

/** Builds one transaction: the entries' markers, then their actions. */
export function buildTransaction(entries: Entry[], nowMs: number): Transaction {
  const parts: EntryPart<Marker | Action>[] = [
    ...entries.flatMap((entry) => (entry.marker ? [{ entry, part: entry.marker }] : [])),
    ...entries.flatMap((entry) => entry.actions.map((part) => ({ entry, part }))),
  ];
  const actions = [...groupBy(parts, ({ part }) => shareOf(part)).values()].map(
    (shared) => ({ kind: shared[0].part.kind, parts: shared }) as TransactionAction,
  );
  checkItems(actions);
  return { entries, actions, items: actions.map((action) => toTransactItem(action, nowMs)) };
}

// DynamoDB would reject all of them. A transaction that isn't built is split, so its entries go apart.
function checkItems(actions: readonly TransactionAction[]): void {
  const items = new Set(actions.map(({ parts }) => parts[0].part.itemId));
  invariant(items.size === actions.length, 'one action for each item', actions.length);
  invariant(actions.length <= maxItems, `at most ${maxItems} actions`, actions.length);
}

// A transaction accepts only one action on an item, so slots of one sheet, increments of one item and
// equal checks of it become one.
function shareOf(part: Marker | Action): unknown {
  const sharing = sharingOf(part);
  return sharing === undefined ? part : `${sharing}/${part.itemId}`;
}

function toTransactItem(action: TransactionAction, nowMs: number): TransactWriteItem {
  switch (action.kind) {
    case 'marker':
      return { Put: putMarker(action.parts[0].part, nowMs) };
    case 'slot':
      return { Update: fillSheet(action.parts) };
    case 'increment':
      return { Update: addIncrements(action.parts) };
    case 'write':
      return action.parts[0].part.request;
  }
}

// The condition is short because every marker carries it. An expired marker in the way is rare, and
// its entry is sent again with the longer condition.
function putMarker({ tableName, itemKey, item, names, mayReplace }: ItemMarker, nowMs: number) {
  const isFree = 'attribute_not_exists(#key)';
  const put = {
    TableName: tableName,
    Item: item,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const attributeNames = { '#key': firstKeyOf(itemKey) };
  if (!mayReplace) {
    return { ...put, ConditionExpression: isFree, ExpressionAttributeNames: attributeNames };
  }
  return {
    ...put,
    ConditionExpression: `${isFree} OR #ttl < :now`,
    ExpressionAttributeNames: { ...attributeNames, '#ttl': names.expiry },
    ExpressionAttributeValues: { ':now': { N: String(toSeconds(nowMs)) } },
  };
}

function firstKeyOf(key: object): string {
  const [name = ''] = Object.keys(key);
  return name;
}

// With all its slots, the condition has 3.8 KB and 259 operators. DynamoDB accepts 4 KB and 300.
function fillSheet(parts: Shared<SlotMarker>['parts']) {
  const { tableName, itemKey, names } = parts[0].part;
  const slots = parts.map(({ part }) => part);
  const expirySeconds = Math.max(...slots.map((slot) => slot.expirySeconds));
  const settings = slots.map(({ attribute }) => `${attribute} = :${attribute}`);
  const areFree = slots.map(({ attribute }) => `attribute_not_exists(${attribute})`);
  const values = slots.map(({ attribute, value }) => [`:${attribute}`, { B: value }]);
  return {
    TableName: tableName,
    Key: itemKey,
    UpdateExpression: `SET ${settings.join(', ')}, #ttl = :ttl`,
    // A late invocation must not shorten the lives of markers that others have set since.
    ConditionExpression: `${areFree.join(' AND ')} AND (attribute_not_exists(#ttl) OR #ttl <= :ttl)`,
    ExpressionAttributeNames: { '#ttl': names.expiry },
    ExpressionAttributeValues: {
      ...Object.fromEntries(values),
      ':ttl': { N: String(expirySeconds) },
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function addIncrements(parts: Shared<IncrementAction>['parts']) {
  const { tableName, itemKey } = parts[0].part;
  const sums = new Map<string, ReturnType<typeof addAmount>>();
  for (const { attribute, by } of parts.flatMap(({ part }) => part.increments)) {
    sums.set(attribute, addAmount(sums.get(attribute) ?? 0, by));
  }
  const amounts = [...sums].map(([attribute, sum], index) => ({
    placeholder: String(index),
    attribute,
    value: { N: String(sum) },
  }));
  const added = amounts.map(({ placeholder }) => `#${placeholder} :${placeholder}`);
  const { conditions, names, values } = describeConditions(parts);
  return {
    TableName: tableName,
    Key: itemKey,
    UpdateExpression: `ADD ${added.join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries([
      ...amounts.map(({ placeholder, attribute }) => [`#${placeholder}`, attribute]),
      ...names,
    ]),
    ExpressionAttributeValues: Object.fromEntries([
      ...amounts.map(({ placeholder, value }) => [`:${placeholder}`, value]),
      ...values,
    ]),
    ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
    // It shows which entries are out of bounds.
    ...(values.length > 0 && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  };
}

function describeConditions(parts: Shared<IncrementAction>['parts']) {
  const bounds = strictestOf(parts.flatMap(({ part }) => boundsOf(part)));
  const mustExist = parts.some(({ part }) => requiresItem(part));
  const conditions = bounds.map(
    ({ operator }, index) =>
      `(attribute_not_exists(#b${index}) OR #b${index} ${operator} :b${index})`,
  );
  const names = bounds.map(({ attribute }, index) => [`#b${index}`, attribute]);
  return {
    conditions: mustExist ? ['attribute_exists(#key)', ...conditions] : conditions,
    names: mustExist ? [['#key', firstKeyOf(parts[0].part.key)], ...names] : names,
    values: bounds.map(({ value }, index) => [`:b${index}`, { S: value }]),
  };
}

/** Whether the increments must not create their item. */
export function requiresItem({ increments }: IncrementAction): boolean {
  return increments.some(({ mustExist }) => mustExist);
}
