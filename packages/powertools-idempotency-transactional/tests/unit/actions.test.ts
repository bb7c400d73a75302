import { expect, test } from 'vitest';
import { checkEntry } from '../../src/actions.ts';
import type { Effects, Write } from '../../src/effects.ts';
import type { WriteAction } from '../../src/entry.ts';
import { InvalidEffectsError } from '../../src/errors.ts';
import { actionsOf, entryOf } from '../helpers/entries.ts';

const put = (PK: string, SK = 'ORDER'): Write => ({ Put: { Item: { PK, SK } } });
const add = (PK: string, by: unknown = 1) => ({
  key: { PK, SK: 'DAY' },
  attribute: 'n',
  by: by as number,
});
const check = (effects: Effects) => checkEntry(entryOf('1', effects));

test('attributes without a value are left out', () => {
  const Item = { PK: 'a', SK: 'b', note: undefined };
  const [action] = actionsOf({ writes: [{ Put: { Item } }] });

  expect((action as WriteAction).request.Put?.Item).toEqual({ PK: { S: 'a' }, SK: { S: 'b' } });
});

const oneWrite =
  'expected one write for each item of a payload, and none for its marker; got another for';
const amount = 'expected "by" of n to be a number that DynamoDB can store; got';

test.each<[string, Effects, string]>([
  [
    'an item of a table whose key nobody knows',
    { writes: [{ Put: { TableName: 'elsewhere', Item: { id: '1' } } }] },
    'expected "tables" to name the key attributes of elsewhere; got orders, customers',
  ],
  [
    'a value that DynamoDB has no type for',
    { writes: [{ Put: { Item: { PK: 'a', SK: 'b', at: /a/ } } }] },
    'expected values that DynamoDB can store; got Error: Unsupported type passed: /a/.',
  ],
  [
    'an item without its key',
    { writes: [{ Put: { Item: { PK: 'a' } } }] },
    'expected an item of orders to have its key SK',
  ],
  ...[
    ['250', "'250'"],
    [null, 'null'],
    [true, 'true'],
    [[7], '[ 7 ]'],
    [Number.NaN, 'NaN'],
    [1e200, '1e+200'],
    [1e-131, '1e-131'],
    [10n ** 38n + 1n, '100000000000000000000000000000000000001n'],
  ].map(([by, got]): [string, Effects, string] => [
    `an amount of ${got}`,
    { increments: [add('a', by)] },
    `${amount} ${got}`,
  ]),
  [
    'an increment whose key is an object',
    { increments: [{ ...add('a'), key: { PK: {} as string } }] },
    'expected PK of a key to be a string, a number or bytes; got {}',
  ],
  [
    'an increment whose key is undefined',
    { increments: [{ ...add('a'), key: { PK: undefined as unknown as string } }] },
    'expected PK of a key to be a string, a number or bytes; got undefined',
  ],
  [
    'two operations in one write',
    { writes: [{ ...put('a'), Delete: { Key: { PK: 'b', SK: 'c' } } } as Write] },
    'expected a write to be one operation; got Put and Delete',
  ],
  ['its own marker', { writes: [put('ORDER#1')] }, `${oneWrite} {"PK":"ORDER#1","SK":"ORDER"}`],
  [
    'an item twice',
    { writes: [put('b'), { Delete: { Key: { SK: 'ORDER', PK: 'b' } } }] },
    `${oneWrite} {"SK":"ORDER","PK":"b"}`,
  ],
  [
    'an item that it increments',
    { increments: [add('a')], writes: [put('a', 'DAY')] },
    `${oneWrite} {"PK":"a","SK":"DAY"}`,
  ],
])('a payload cannot write %s', (_, effects, reason) => {
  expect(() => check(effects)).toThrow(new InvalidEffectsError(reason));
});

test.each([
  ['writes', 0],
  ['writes and increments', 50],
])('effects with a marker have at most 99 items: %s', (_, increments) => {
  const items = (count: number): Effects => ({
    increments: Array.from({ length: increments }, (_, index) => add(`${index}`)),
    writes: Array.from({ length: count - increments }, (_, index) => put(`${index}`)),
  });

  expect(() => check(items(99))).not.toThrow();
  expect(() => check(items(100))).toThrow(
    new InvalidEffectsError('expected effects on at most 99 items; got 100'),
  );
});

// Both bytes are the same character in UTF-8, and all three numbers are one.
test.each([
  { title: 'other bytes', keys: [Buffer.from([0xff]), Buffer.from([0xfe])], items: 2 },
  { title: 'the same bytes', keys: [Buffer.from([0xff]), Uint8Array.of(0xff)], items: 1 },
  { title: 'one number', keys: [100, 100n, 1e2], items: 1 },
  { title: 'other numbers', keys: [100, 100n + 1n], items: 2 },
])('keys with $title are of $items', ({ keys, items }) => {
  const actions = keys.flatMap((id) =>
    actionsOf({ writes: [{ Delete: { TableName: 'customers', Key: { id } } }] }),
  );

  expect(new Set(actions.map(({ itemId }) => itemId)).size).toBe(items);
});
