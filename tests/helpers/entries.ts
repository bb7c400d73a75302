import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import {
  type Expressions,
  readExpressions,
} from '../../evidence/simulation/dynamodb/expressions.ts';
import { type Entry, groupByItem } from '../../lib/idempotency/entry.ts';

type Item = Record<string, AttributeValue>;

/** An entry that adds one to an account's total, which must exist, and one to its day. */
export function makeEntry(id: string, account = 'a', changes: Partial<Entry> = {}): Entry {
  return {
    idempotencyKey: `ORDER#${id}`,
    payloadHash: 'hash',
    marker: { PK: { S: `ORDER#${id}` }, SK: { S: 'ORDER' }, ttl: { N: '2000000000' } },
    updates: groupByItem([
      { key: { PK: account, SK: 'TOTAL' }, attribute: 'orders', by: 1, mustExist: true },
      { key: { PK: account, SK: 'DAY' }, attribute: 'orders', by: 1 },
    ]),
    deadlineMs: Date.now() + 60_000,
    ...changes,
  };
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
