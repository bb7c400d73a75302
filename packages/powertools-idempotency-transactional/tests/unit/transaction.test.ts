import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Increment } from '../../src/effects.ts';
import type { Entry, IncrementAction } from '../../src/entry.ts';
import { buildTransaction } from '../../src/transaction.ts';
import { actionsOf, applyAction, entryOf, makeEntry, makeMarker } from '../helpers/entries.ts';

const build = (...entries: Entry[]) => buildTransaction(entries, 1_800_000_000_999).items;
const item = (PK: string, SK: string, attributes: Record<string, AttributeValue> = {}) => ({
  PK: { S: PK },
  SK: { S: SK },
  ...attributes,
});
const until = (ttl: string) => item('ORDER#1', 'ORDER', { ttl: { N: ttl } });
const met = { ...makeMarker(item('ORDER#1', 'ORDER')), mayReplace: true };

test.each([
  ['is put only if there is none', {}, undefined],
  ['may replace an expired one if its entry met it', { marker: met }, until('2000000000')],
])('a marker %s', (_, changes, replaced) => {
  const [action] = build(makeEntry('1', 'a', changes));

  expect(applyAction(action)).toEqual(until('2000000000'));
  expect(applyAction(action, until('1800000001'))).toBeUndefined();
  expect(applyAction(action, until('1800000000'))).toEqual(replaced);
  expect(action?.Put?.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD');
});

const increment = (changes: Partial<Increment> = {}): Increment => ({
  key: { PK: 'b', SK: 'X' },
  attribute: 'cents',
  by: 1,
  ...changes,
});

test("a transaction's increments of one item are added up, and create no item that must exist", () => {
  const increments = [{ by: 1_999 }, { by: 1 }, { attribute: 'n' }].map((own) => increment(own));
  const entry = entryOf('3', { increments });

  const [, , , total, day, several, ...others] = build(makeEntry('1'), makeEntry('2'), entry);

  expect(applyAction(total, item('a', 'TOTAL', { orders: { N: '5' } }))).toEqual(
    item('a', 'TOTAL', { orders: { N: '7' } }),
  );
  expect(applyAction(total)).toBeUndefined();
  expect(applyAction(day)).toEqual(item('a', 'DAY', { orders: { N: '2' } }));
  expect(applyAction(several)).toEqual(item('b', 'X', { cents: { N: '2000' }, n: { N: '1' } }));
  expect(others).toEqual([]);
});

const keys = [
  { PK: 'aSKb', SK: 'c' },
  { PK: 'a', SK: 'bSKc' },
  { SK: 'c', PK: 'aSKb' },
];
const [key] = keys;
const tables = [{}, { tableName: 'orders' }, { tableName: 'archive' }];

test.each<[string, Increment[], string[]]>([
  [
    'whatever their keys hold',
    keys.map((own) => increment({ key: own })),
    ['2 orders', '1 orders'],
  ],
  ['of two tables', tables.map((own) => increment({ key, ...own })), ['2 orders', '1 archive']],
])('items are told apart %s', (_, increments, expected) => {
  const actions = actionsOf({ increments }) as IncrementAction[];

  const counts = actions.map((action) => `${action.increments.length} ${action.tableName}`);
  expect(counts).toEqual(expected);
  expect(new Set(actions.map(({ itemId }) => itemId)).size).toBe(2);
});
