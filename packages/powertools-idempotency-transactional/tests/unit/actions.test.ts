import { expect, test } from 'vitest';
import { checkEntry } from '../../src/actions.ts';
import type { Effects, Write } from '../../src/effects.ts';
import type { WriteAction } from '../../src/entry.ts';
import { InvalidEffectsError } from '../../src/errors.ts';
import { actionsOf, makeEntry } from '../helpers/entries.ts';

const put = (PK: string, SK = 'ORDER'): Write => ({ Put: { Item: { PK, SK } } });
const writes = (count: number) =>
  Array.from({ length: count }, (_, index) => put(`${index}`, 'LINE'));
const increments = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    return { key: { PK: `${index}`, SK: 'DAY' }, attribute: 'n', by: 1 };
  });
const withEffects = (effects: Effects) => makeEntry('1', 'a', { actions: actionsOf(effects) });

test('attributes without a value are left out', () => {
  const [action] = actionsOf({
    writes: [{ Put: { Item: { PK: 'a', SK: 'b', note: undefined } } }],
  });

  expect((action as WriteAction).request.Put?.Item).toEqual({ PK: { S: 'a' }, SK: { S: 'b' } });
});

test.each([
  [
    'of a table whose key nobody knows',
    { TableName: 'elsewhere', Item: { id: '1' } },
    'expected "tables" to name the key attributes of elsewhere; got orders, customers',
  ],
  ['without its key', { Item: { PK: 'a' } }, 'expected an item of orders to have its key SK'],
])('an item %s is refused', (_, Put, reason) => {
  expect(() => actionsOf({ writes: [{ Put }] })).toThrow(new InvalidEffectsError(reason));
});

test.each([
  ['in text', '250', "'250'"],
  ['that is null', null, 'null'],
  ['that is true', true, 'true'],
  ['in an array', [7], '[ 7 ]'],
  ['that is NaN', Number.NaN, 'NaN'],
  ['beyond 1e126', 1e200, '1e+200'],
  ['below 1e-130', 1e-131, '1e-131'],
])('an amount %s is refused', (_, by, got) => {
  const increments = [{ key: { PK: 'a', SK: 'TOTAL' }, attribute: 'n', by: by as number }];
  const expected = 'expected "by" of n to be a number that DynamoDB can store';

  expect(() => actionsOf({ increments })).toThrow(
    new InvalidEffectsError(`${expected}; got ${got}`),
  );
});

test.each([
  ['writes', { writes: writes(99) }, { writes: writes(100) }],
  [
    'writes and increments',
    { increments: increments(50), writes: writes(49) },
    { increments: increments(50), writes: writes(50) },
  ],
])('effects with a marker have at most 99 items: %s', (_, most, tooMany) => {
  expect(() => checkEntry(withEffects(most))).not.toThrow();
  expect(() => checkEntry(withEffects(tooMany))).toThrow(
    new InvalidEffectsError('expected effects on at most 99 items; got 100'),
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
])("effects don't write %s", (_, own, key) => {
  const entry = makeEntry('1', 'a', {
    actions: [...makeEntry('1').actions, ...actionsOf({ writes: own })],
  });

  expect(() => checkEntry(entry)).toThrow(
    `expected one write for each item of a payload, and none for its marker; got another for ${key}`,
  );
});
