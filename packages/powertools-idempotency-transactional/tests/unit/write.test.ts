import { expect, test } from 'vitest';
import type { Write } from '../../src/entry.ts';
import { groupByItem } from '../../src/entry.ts';
import { InvalidEffectsError } from '../../src/errors.ts';
import { checkEntry, toOwnWrite } from '../../src/write.ts';
import { makeEntry } from '../helpers/entries.ts';

const tables = new Map([
  ['orders', ['PK', 'SK']],
  ['customers', ['id']],
]);
const put = (PK: string, SK = 'ORDER'): Write => ({ Put: { Item: { PK, SK } } });
const writes = (count: number) =>
  Array.from({ length: count }, (_, index) => toOwnWrite(put(`${index}`, 'LINE'), tables));
const updates = (count: number) =>
  groupByItem(
    Array.from({ length: count }, (_, index) => {
      return { key: { PK: `${index}`, SK: 'DAY' }, attribute: 'n', by: 1 };
    }),
  );

test('attributes without a value are left out', () => {
  const { action } = toOwnWrite({ Put: { Item: { PK: 'a', SK: 'b', note: undefined } } }, tables);

  expect(action.Put?.Item).toEqual({ PK: { S: 'a' }, SK: { S: 'b' } });
});

test.each([
  [
    'of a table whose key nobody knows',
    { TableName: 'elsewhere', Item: { id: '1' } },
    'expected the layer\'s "tables" to name the key attributes of elsewhere; got orders, customers',
  ],
  ['without its key', { Item: { PK: 'a' } }, 'expected an item of orders to have its key SK'],
])('an item %s is refused', (_, Put, reason) => {
  expect(() => toOwnWrite({ Put }, tables)).toThrow(new InvalidEffectsError(reason));
});

test.each([
  ['writes', { updates: [], writes: writes(99) }, { updates: [], writes: writes(100) }],
  [
    'writes and increments',
    { updates: updates(50), writes: writes(49) },
    { updates: updates(50), writes: writes(50) },
  ],
])('a record has 99 items beside its marker at most: %s', (_, most, tooMany) => {
  expect(() => checkEntry(makeEntry('1', 'a', most))).not.toThrow();
  expect(() => checkEntry(makeEntry('1', 'a', tooMany))).toThrow(
    new InvalidEffectsError('expected at most 99 items beside the marker; got 100'),
  );
});

test.each<[string, Write[], string]>([
  ['its own marker', [put('ORDER#1')], '{"PK":"ORDER#1","SK":"ORDER"}'],
  [
    'an item twice',
    [put('b'), { Delete: { Key: { SK: 'ORDER', PK: 'b' } } }],
    '{"SK":"ORDER","PK":"b"}',
  ],
  ['an item that it increments', [put('a', 'DAY')], '{"PK":"a","SK":"DAY"}'],
])('a record does not write %s', (_, own, key) => {
  const entry = makeEntry('1', 'a', { writes: own.map((write) => toOwnWrite(write, tables)) });

  expect(() => checkEntry(entry)).toThrow(
    `expected one write for each item of a record, and none for its marker; got another for ${key}`,
  );
});
