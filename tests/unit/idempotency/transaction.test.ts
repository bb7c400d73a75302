import { expect, it } from 'vitest';
import { groupByItem } from '../../../lib/idempotency/entry.ts';
import { buildTransaction } from '../../../lib/idempotency/transaction.ts';
import { makeEntry } from '../../helpers/entries.ts';

const table = { tableName: 'orders', keyAttribute: 'PK' };
const nowMs = 1_800_000_000_999;

it('puts a marker where there is none', () => {
  const { items } = buildTransaction(table, [makeEntry('1')], nowMs);

  expect(items[0]?.Put).toEqual({
    TableName: 'orders',
    Item: { PK: { S: 'ORDER#1' }, SK: { S: 'ORDER' }, ttl: { N: '2000000000' } },
    ConditionExpression: 'attribute_not_exists(PK)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
});

it('lets an entry replace a marker that has expired, and no other', () => {
  const { items } = buildTransaction(table, [makeEntry('1', 'a', { mayReplace: true })], nowMs);

  expect(items[0]?.Put).toMatchObject({
    ConditionExpression: 'attribute_not_exists(PK) OR #expiry < :now',
    ExpressionAttributeNames: { '#expiry': 'ttl' },
    ExpressionAttributeValues: { ':now': { N: '1800000001' } },
  });
});

it('adds up what several entries add to one item', () => {
  const { items } = buildTransaction(table, [makeEntry('1'), makeEntry('2')], nowMs);

  expect(items.slice(2).map(({ Update }) => Update)).toEqual([
    {
      TableName: 'orders',
      Key: { PK: { S: 'a' }, SK: { S: 'TOTAL' } },
      UpdateExpression: 'ADD #0 :0',
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeNames: { '#0': 'orders' },
      ExpressionAttributeValues: { ':0': { N: '2' } },
    },
    {
      TableName: 'orders',
      Key: { PK: { S: 'a' }, SK: { S: 'DAY' } },
      UpdateExpression: 'ADD #0 :0',
      ExpressionAttributeNames: { '#0': 'orders' },
      ExpressionAttributeValues: { ':0': { N: '2' } },
    },
  ]);
});

it('tells items apart whatever their keys hold, and in whatever order', () => {
  const increment = (key: Record<string, string>) => ({ key, attribute: 'n', by: 1 });

  const updates = groupByItem([
    increment({ PK: 'a\nb', SK: 'c' }),
    increment({ PK: 'a', SK: 'b\nc' }),
    increment({ SK: 'c', PK: 'a\nb' }),
  ]);

  expect(updates.map(({ increments }) => increments.length)).toEqual([2, 1]);
});

it('changes two attributes of one item in one update', () => {
  const key = { PK: 'a', SK: 'TOTAL' };
  const entry = makeEntry('1', 'a', {
    updates: groupByItem([
      { key, attribute: 'orders', by: 1 },
      { key, attribute: 'cents', by: 1999 },
    ]),
  });

  const { items } = buildTransaction(table, [entry], nowMs);

  expect(items).toHaveLength(2);
  expect(items[1]?.Update).toMatchObject({
    UpdateExpression: 'ADD #0 :0, #1 :1',
    ExpressionAttributeNames: { '#0': 'orders', '#1': 'cents' },
    ExpressionAttributeValues: { ':0': { N: '1' }, ':1': { N: '1999' } },
  });
});

it('knows which entries stand behind each update', () => {
  const [first, second, other] = [makeEntry('1'), makeEntry('2'), makeEntry('3', 'b')];

  const { entries, updates } = buildTransaction(table, [first, second, other], nowMs);

  expect(entries).toEqual([first, second, other]);
  expect(updates).toMatchObject([
    { entries: [first, second], key: { PK: 'a', SK: 'TOTAL' } },
    { entries: [first, second], key: { PK: 'a', SK: 'DAY' } },
    { entries: [other], key: { PK: 'b', SK: 'TOTAL' } },
    { entries: [other], key: { PK: 'b', SK: 'DAY' } },
  ]);
});
