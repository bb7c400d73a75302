import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Increment } from '../../src/effects.ts';
import type { Entry, IncrementAction } from '../../src/entry.ts';
import { buildTransaction } from '../../src/transaction.ts';
import { actionsOf, applyAction, makeEntry, makeMarker } from '../helpers/entries.ts';

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

test("a transaction's increments of one item are added up, and create no item that must exist", () => {
  const [, , total, day] = build(makeEntry('1'), makeEntry('2'));

  expect(applyAction(total, item('a', 'TOTAL', { orders: { N: '5' } }))).toEqual(
    item('a', 'TOTAL', { orders: { N: '7' } }),
  );
  expect(applyAction(total)).toBeUndefined();
  expect(applyAction(day)).toEqual(item('a', 'DAY', { orders: { N: '2' } }));
});

const increment = (changes: Partial<Increment> = {}): Increment => ({
  key: { PK: 'a', SK: 'TOTAL' },
  attribute: 'n',
  by: 1,
  ...changes,
});

test('several attributes of one item change in one action', () => {
  const increments = [
    increment(),
    ...[1_999, 1].map((by) => increment({ attribute: 'cents', by })),
  ];

  const [, total, ...others] = build(makeEntry('1', 'a', { actions: actionsOf({ increments }) }));

  expect(others).toEqual([]);
  expect(applyAction(total)).toEqual(item('a', 'TOTAL', { n: { N: '1' }, cents: { N: '2000' } }));
});

const key = { PK: 'a', SK: 'TOTAL' };
test.each<[string, Increment[], [table: string, count: number][]]>([
  [
    'whatever their keys hold, and in whatever order',
    [
      { PK: 'a\nb', SK: 'c' },
      { PK: 'a', SK: 'b\nc' },
      { SK: 'c', PK: 'a\nb' },
    ].map((own) => increment({ key: own })),
    [
      ['orders', 2],
      ['orders', 1],
    ],
  ],
  [
    'of different tables, even if increments share their key',
    [{}, { tableName: 'orders' }, { tableName: 'archive' }].map((own) =>
      increment({ key, ...own }),
    ),
    [
      ['orders', 2],
      ['archive', 1],
    ],
  ],
])('items are told apart %s', (_, increments, expected) => {
  const actions = actionsOf({ increments }) as IncrementAction[];

  expect(actions.map((action) => [action.tableName, action.increments.length])).toEqual(expected);
  expect(new Set(actions.map(({ itemId }) => itemId)).size).toBe(expected.length);
});
