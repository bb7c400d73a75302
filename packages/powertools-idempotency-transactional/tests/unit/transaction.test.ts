import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { toItem } from '../../src/actions.ts';
import type { Increment } from '../../src/effects.ts';
import type { Entry, IncrementAction } from '../../src/entry.ts';
import { buildTransaction } from '../../src/transaction.ts';
import { actionsOf, applyAction, makeEntry, makeMarker } from '../helpers/entries.ts';

const nowMs = 1_800_000_000_999;
const build = (...entries: Entry[]) => buildTransaction(entries, nowMs);
const item = (PK: string, SK: string, attributes: Record<string, AttributeValue> = {}) => ({
  PK: { S: PK },
  SK: { S: SK },
  ...attributes,
});

describe('a marker', () => {
  const marker = item('ORDER#1', 'ORDER', { ttl: { N: '2000000000' } });
  const expired = item('ORDER#1', 'ORDER', { ttl: { N: '1800000000' } });
  const alive = item('ORDER#1', 'ORDER', { ttl: { N: '1800000001' } });

  const met = { ...makeMarker(item('ORDER#1', 'ORDER')), mayReplace: true };

  test.each([
    ['is put only if there is none', makeEntry('1'), undefined],
    [
      'may replace an expired one if its entry met it',
      makeEntry('1', 'a', { marker: met }),
      marker,
    ],
  ])('%s', (_, entry, replaced) => {
    const [action] = build(entry).items;

    expect(applyAction(action)).toEqual(marker);
    expect(applyAction(action, alive)).toBeUndefined();
    expect(applyAction(action, expired)).toEqual(replaced);
    expect(action?.Put?.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD');
  });
});

describe('the increments of a transaction', () => {
  test('of one item are added up, and create no item that must exist', () => {
    const [, , total, day] = build(makeEntry('1'), makeEntry('2')).items;

    expect(applyAction(total, item('a', 'TOTAL', { orders: { N: '5' } }))).toEqual(
      item('a', 'TOTAL', { orders: { N: '7' } }),
    );
    expect(applyAction(total)).toBeUndefined();
    expect(applyAction(day)).toEqual(item('a', 'DAY', { orders: { N: '2' } }));
  });

  test('change several attributes of one item in one action', () => {
    const key = { PK: 'a', SK: 'TOTAL' };
    const increments = [
      { key, attribute: 'orders', by: 1 },
      { key, attribute: 'cents', by: 1999 },
      { key, attribute: 'cents', by: 1 },
    ];

    const entry = makeEntry('1', 'a', { actions: actionsOf({ increments }) });
    const [, total, ...others] = build(entry).items;

    expect(others).toEqual([]);
    expect(applyAction(total)).toEqual(
      item('a', 'TOTAL', { orders: { N: '1' }, cents: { N: '2000' } }),
    );
  });
});

const group = (...increments: Increment[]) => actionsOf({ increments }) as IncrementAction[];

test('items are told apart whatever their keys hold, and in whatever order', () => {
  const increment = (key: Record<string, string>) => ({ key, attribute: 'n', by: 1 });

  const actions = group(
    increment({ PK: 'a\nb', SK: 'c' }),
    increment({ PK: 'a', SK: 'b\nc' }),
    increment({ SK: 'c', PK: 'a\nb' }),
  );

  expect(actions.map(({ increments }) => increments.length)).toEqual([2, 1]);
});

test('items of different tables are told apart, even if increments share their key', () => {
  const key = { PK: 'a', SK: 'TOTAL' };
  const increment = (tableName?: string) => ({ tableName, key, attribute: 'n', by: 1 });

  const actions = group(increment(), increment('orders'), increment('archive'), increment('audit'));

  expect(actions.map(({ tableName, increments }) => [tableName, increments.length])).toEqual([
    ['orders', 2],
    ['archive', 1],
    ['audit', 1],
  ]);
  expect(new Set(actions.map(({ itemId }) => itemId)).size).toBe(3);
});

test('an item takes strings and finite numbers, and no other value', () => {
  expect(toItem({ name: 'ann', cents: 5 })).toEqual({ name: { S: 'ann' }, cents: { N: '5' } });
  expect(() => toItem({ cents: Number.NaN })).toThrow(
    new TypeError('expected cents to be a string or a number; got NaN'),
  );
});
