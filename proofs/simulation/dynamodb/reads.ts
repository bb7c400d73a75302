import { type Item, ValidationError } from '../../../fixtures/dynamodb-items.ts';
import { type Answer, serviceError } from '../aws-service.ts';
import { type ItemStore, keyOf, textOf } from './item-store.ts';

const maxKeys = 100;

interface ReadMode {
  ConsistentRead?: boolean;
}

export interface GetItemInput extends ReadMode {
  Key: Item;
}

export interface BatchGetItemInput {
  RequestItems: Record<string, ReadMode & { Keys: Item[] }>;
}

export function getItem(items: ItemStore, { Key, ...mode }: GetItemInput): Answer {
  return answer({ Item: read(items, Key, mode), ConsumedCapacity: {} });
}

export interface QueryInput extends ReadMode {
  KeyConditionExpression: string;
  ExpressionAttributeValues: Record<string, { S: string }>;
  Limit?: number;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
}

/** The first items of a partition within a range. */
export function query(items: ItemStore, input: QueryInput): Answer {
  const { KeyConditionExpression, ConsistentRead, ExpressionAttributeValues, Limit } = input;
  if (KeyConditionExpression !== 'PK = :pk AND SK BETWEEN :first AND :last' || !ConsistentRead) {
    throw new Error('expected a consistent query of a range: teach others to the model');
  }
  const [pk, first = '', last = ''] = Object.values(ExpressionAttributeValues).map(({ S }) => S);
  const found = [...items.scan()].flatMap((item) => {
    const key = { PK: textOf(item, 'PK'), SK: textOf(item, 'SK') };
    return key.PK === pk && first <= key.SK && key.SK <= last ? [{ SK: key.SK, item }] : [];
  });
  const sorted = found.toSorted((a, b) => (a.SK < b.SK ? -1 : 1)).slice(0, Limit);
  return answer({ Items: sorted.map(({ item }) => project(item, input)) });
}

function project(item: Item, { ProjectionExpression, ExpressionAttributeNames }: QueryInput): Item {
  if (ProjectionExpression === undefined) return item;
  const names = ProjectionExpression.split(/, ?/).map(
    (name) => ExpressionAttributeNames?.[name] ?? name,
  );
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** Reads all items except throttled ones. It is an error if all are throttled. */
export function batchGetItem(
  items: ItemStore,
  { RequestItems }: BatchGetItemInput,
  isThrottled: () => boolean,
): Answer {
  const [request, ...others] = Object.entries(RequestItems);
  if (!request || others.length > 0) throw new Error('expected one table: teach it to the model');
  const [table, { Keys, ...mode }] = request;
  const keys = new Set(Keys.map(keyOf));
  if (keys.size === 0 || keys.size > maxKeys || keys.size < Keys.length) {
    throw new ValidationError(`expected 1 to ${maxKeys} different keys; got ${Keys.length}`);
  }
  const unprocessed = Keys.filter(() => isThrottled());
  const processed = Keys.filter((key) => !unprocessed.includes(key));
  if (processed.length === 0) {
    return serviceError(400, 'ProvisionedThroughputExceededException', 'all keys were throttled');
  }
  const found = processed.map((key) => read(items, key, mode)).filter((item) => item !== undefined);
  return answer({
    // Their order is undefined.
    Responses: { [table]: found.reverse() },
    UnprocessedKeys: unprocessed.length > 0 ? { [table]: { Keys: unprocessed, ...mode } } : {},
  });
}

function read(items: ItemStore, Key: Item, { ConsistentRead = false }: ReadMode): Item | undefined {
  const key = keyOf(Key);
  return ConsistentRead ? items.get(key) : items.getEventually(key);
}

/** A success. */
export function answer(body: object): Answer {
  return { status: 200, body: JSON.stringify(body) };
}
