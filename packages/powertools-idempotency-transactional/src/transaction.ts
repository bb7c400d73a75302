import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import {
  type Action,
  type Entry,
  type IncrementAction,
  type ItemMarker,
  inProgress,
  type Marker,
  type MarkerSchema,
  type SlotMarker,
  toSeconds,
  type WriteAction,
} from './entry.ts';

/** One TransactWriteItems request, and the meaning of each of its actions. */
export interface Transaction {
  entries: Entry[];
  /** In the order of the request: markers first. */
  actions: TransactionAction[];
  items: TransactWriteItem[];
}

/** What a transaction does to one item. If it fails, its entries do. */
export type TransactionAction =
  | Shared<ItemMarker>
  | Shared<SlotMarker>
  | Shared<IncrementAction>
  | Shared<WriteAction>;

interface Shared<Part extends Marker | Action> {
  kind: Part['kind'];
  entries: Entry[];
  /** One for each entry, in the same order, all on one item. */
  parts: [Part, ...Part[]];
}

/** Whether an action sets markers. */
export function isMarker(
  action: TransactionAction,
): action is Shared<ItemMarker> | Shared<SlotMarker> {
  return action.kind === 'marker' || action.kind === 'slot';
}

/** Builds one transaction: the entries' markers, then their actions. */
export function buildTransaction(entries: Entry[], nowMs: number): Transaction {
  const actions = [
    ...share(entries, ({ marker }) => (marker ? [marker] : [])),
    ...share(entries, (entry) => entry.actions),
  ];
  const items = actions.map((action) => toTransactItem(action, nowMs));
  return { entries, actions, items };
}

// A transaction takes only one action on an item, so slots of one sheet and increments of one item
// become one.
function share(
  entries: Entry[],
  partsOf: (entry: Entry) => (Marker | Action)[],
): TransactionAction[] {
  const actions: TransactionAction[] = [];
  const shared = new Map<string, TransactionAction>();
  for (const entry of entries) {
    for (const part of partsOf(entry)) {
      const known = shared.get(part.itemId);
      if (known?.kind === part.kind) {
        known.entries.push(entry);
        (known.parts as (Marker | Action)[]).push(part);
        continue;
      }
      const action = { kind: part.kind, entries: [entry], parts: [part] } as TransactionAction;
      actions.push(action);
      if (part.kind === 'slot' || part.kind === 'increment') shared.set(part.itemId, action);
    }
  }
  return actions;
}

function toTransactItem(action: TransactionAction, nowMs: number): TransactWriteItem {
  switch (action.kind) {
    case 'marker':
      return { Put: putMarker(action.parts[0], nowMs) };
    case 'slot':
      return { Update: fillSheet(action.parts) };
    case 'increment':
      return { Update: addIncrements(action.parts) };
    case 'write':
      return action.parts[0].request;
  }
}

// The condition is short because every marker carries it. An expired marker in the way is rare, and
// its entry is sent again with the longer condition.
function putMarker({ tableName, schema, item, mayReplace }: ItemMarker, nowMs: number) {
  return {
    TableName: tableName,
    Item: item,
    ...(mayReplace ? isReplaceable(schema, nowMs) : { ConditionExpression: isFree(schema) }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

const isFree = ({ keyAttribute }: MarkerSchema) => `attribute_not_exists(${keyAttribute})`;

function isReplaceable(schema: MarkerSchema, nowMs: number) {
  const { expiryAttr, powertools } = schema;
  const expired = {
    ConditionExpression: `${isFree(schema)} OR #ttl < :now`,
    ExpressionAttributeNames: { '#ttl': expiryAttr },
    ExpressionAttributeValues: { ':now': { N: String(toSeconds(nowMs)) } },
  };
  if (!powertools) return expired;
  // As in Powertools' own layer, the next delivery takes over from an invocation that ended midway.
  return {
    ConditionExpression: `${expired.ConditionExpression} OR (#status = :midway AND #end < :nowMs)`,
    ExpressionAttributeNames: {
      ...expired.ExpressionAttributeNames,
      '#status': powertools.statusAttr,
      '#end': powertools.inProgressExpiryAttr,
    },
    ExpressionAttributeValues: {
      ...expired.ExpressionAttributeValues,
      ':midway': { S: inProgress },
      ':nowMs': { N: String(nowMs) },
    },
  };
}

// With all its slots, the condition has 3.8 KB and 259 operators. DynamoDB accepts 4 KB and 300.
function fillSheet(slots: [SlotMarker, ...SlotMarker[]]) {
  const [{ tableName, schema, itemKey }] = slots;
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
    ExpressionAttributeNames: { '#ttl': schema.expiryAttr },
    ExpressionAttributeValues: {
      ...Object.fromEntries(values),
      ':ttl': { N: String(expirySeconds) },
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function addIncrements(actions: [IncrementAction, ...IncrementAction[]]) {
  const [{ tableName, key, itemKey }] = actions;
  const sums = new Map<string, number>();
  for (const { increments } of actions) {
    for (const { attribute, by } of increments)
      sums.set(attribute, (sums.get(attribute) ?? 0) + by);
  }
  const names: Record<string, string> = {};
  const values: Record<string, { N: string }> = {};
  const additions: string[] = [];
  for (const [attribute, sum] of sums) {
    const index = additions.length;
    names[`#${index}`] = attribute;
    values[`:${index}`] = { N: String(sum) };
    additions.push(`#${index} :${index}`);
  }
  return {
    TableName: tableName,
    Key: itemKey,
    UpdateExpression: `ADD ${additions.join(', ')}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ...(actions.some(requiresItem) && {
      ConditionExpression: `attribute_exists(${Object.keys(key)[0]})`,
    }),
  };
}

/** Whether the increments must not create their item. */
export function requiresItem({ increments }: IncrementAction): boolean {
  return increments.some(({ mustExist }) => mustExist);
}
