import { expect, test } from 'vitest';
import type { Write } from '../../src/effects.ts';
import type { Entry } from '../../src/entry.ts';
import { takeTurns } from '../../src/turns.ts';
import { actionsOf, makeEntry, makeSlotEntry } from '../helpers/entries.ts';
import {
  accepted,
  cancelled,
  commit,
  committed,
  conflict,
  markersOf,
  none,
} from './scripted-dynamodb.ts';

const put = (PK: string, SK = 'ORDER'): Write => ({ Put: { Item: { PK, SK } } });

/** An entry of an account that writes these items. */
const writing = (id: string, account: string, ...writes: Write[]): Entry =>
  makeEntry(id, account, {
    actions: [...makeEntry(id, account).actions, ...actionsOf({ writes })],
  });

/** The ids of each list, turn by turn. */
const idsOf = (entries: Entry[]) =>
  takeTurns(entries).map((turns) =>
    turns.map((turn) => turn.map(({ idempotencyKey }) => idempotencyKey.replace('ORDER#', ''))),
  );

const total = put('a', 'TOTAL');

test.each<[string, Entry[], string[][][]]>([
  [
    'if both write the same item',
    [writing('1', 'a', put('x')), writing('2', 'b', put('x'))],
    [[[]], [['1'], ['2']]],
  ],
  [
    'if it writes the item that the earlier one increments',
    [makeEntry('1', 'a'), writing('2', 'b', total)],
    [[[]], [['1'], ['2']]],
  ],
  [
    'if it increments the item that the earlier one writes',
    [writing('1', 'b', total), makeEntry('2', 'a')],
    [[[]], [['1'], ['2']]],
  ],
  [
    'if both have the same key, even without a write',
    [makeEntry('1', 'a'), makeEntry('2', 'a'), makeEntry('1', 'b'), makeEntry('3', 'c')],
    [[['3']], [['1', '2'], ['1']]],
  ],
  [
    'if the earlier one waits, too',
    [
      writing('1', 'a', put('x')),
      writing('2', 'b', put('x'), put('y')),
      writing('3', 'c', put('y')),
    ],
    [[[]], [['1'], ['2'], ['3']]],
  ],
  [
    'and for no others',
    [
      makeEntry('1', 'a'),
      makeSlotEntry('sheet', 2, 'a'),
      writing('3', 'a', put('x')),
      writing('4', 'b', put('y'), put('y', 'other')),
      writing('5', 'c', { Put: { TableName: 'orders', Item: { PK: 'z', SK: 'ORDER' } } }),
      writing('6', 'd', { Delete: { TableName: 'elsewhere', Key: { PK: 'z', SK: 'ORDER' } } }),
    ],
    [[['1', 'sheet.2', '3', '4', '5', '6']]],
  ],
])('an entry waits for an earlier one %s', (_, entries, turns) => {
  expect(idsOf(entries)).toEqual(turns);
});

test('a write that meets contention is not overtaken by a later one on its item', async () => {
  const entries = [writing('1', 'a', put('x')), writing('2', 'b', put('x')), makeEntry('3', 'c')];
  const contended = cancelled(none, none, none, conflict);
  const answers = new Map([['ORDER#1', [contended, contended]]]);

  const { outcomes, sentMarkers } = await commit(
    entries,
    ...Array.from({ length: 5 }, () => async (...[input, signal]: Parameters<typeof contended>) => {
      const [first = ''] = markersOf(input);
      return answers.get(first)?.shift()?.(input, signal) ?? accepted;
    }),
  );

  expect(outcomes).toEqual([committed, committed, committed]);
  const order = sentMarkers.flat().filter((key) => /^ORDER#[12]$/.test(key));
  expect(order).toEqual(['ORDER#1', 'ORDER#1', 'ORDER#1', 'ORDER#2']);
});
