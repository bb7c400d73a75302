import { expect, test } from 'vitest';
import type { Write } from '../../src/effects.ts';
import type { Entry } from '../../src/entry.ts';
import { takeTurns } from '../../src/turns.ts';
import { actionsOf, makeEntry, makeSlotEntry } from '../helpers/entries.ts';
import {
  type Answer,
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

const [ax, bx] = [writing('1', 'a', put('x')), writing('2', 'b', put('x'))];
const [total1, total2] = [writing('1', 'b', total), writing('2', 'b', total)];
const bxy = writing('2', 'b', put('x'), put('y'));
const delivered = ['1', '2', '1', '3'].map((id, index) => makeEntry(id, 'aabc'[index]));

test.each<[string, Entry[], string[][][]]>([
  ['if both write the same item', [ax, bx], [[[]], [['1'], ['2']]]],
  [
    'if it writes an item that that one increments',
    [makeEntry('1'), total2],
    [[[]], [['1'], ['2']]],
  ],
  [
    'if it increments an item that that one writes',
    [total1, makeEntry('2')],
    [[[]], [['1'], ['2']]],
  ],
  ['of the same key, even without a write', delivered, [[['3']], [['1', '2'], ['1']]]],
  ['if that one waits, too', [ax, bxy, writing('3', 'c', put('y'))], [[[]], [['1'], ['2'], ['3']]]],
  [
    'and for no others',
    [
      makeEntry('1'),
      makeSlotEntry('sheet', 2),
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
  const refusals = [contended, contended];
  const answer: Answer = async (input, signal) =>
    (markersOf(input)[0] === '1' && refusals.shift()?.(input, signal)) || accepted;

  const { outcomes, batches } = await commit(entries, ...Array(5).fill(answer));

  expect(outcomes).toEqual([committed, committed, committed]);
  expect(batches.filter((ids) => ids !== '3')).toEqual(['1 x', '1 x', '1 x', '2 x']);
});
