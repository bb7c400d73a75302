import { expect, test } from 'vitest';
import { Attempt } from '../../src/attempt.ts';
import { findReady } from '../../src/choose-entries.ts';
import type { Write } from '../../src/effects.ts';
import type { Entry } from '../../src/entry.ts';
import { PendingEntry } from '../../src/pending-entry.ts';
import { actionsOf, makeEntry, makeSlotEntry } from '../helpers/entries.ts';
import { cancelled, commit, committed, conflict, none } from './scripted-dynamodb.ts';

const put = (PK: string, SK = 'ORDER'): Write => ({ Put: { Item: { PK, SK, note: {} } } });
const update = (PK: string, SK = 'ORDER'): Write => ({
  Update: { Key: { PK, SK }, UpdateExpression: 'SET a = a' },
});
const check = (PK: string, ConditionExpression: string): Write => ({
  ConditionCheck: { Key: { PK, SK: 'STATE' }, ConditionExpression },
});

/** An entry of an account that writes these items. */
const writing = (id: string, account: string, ...writes: Write[]): Entry =>
  makeEntry(id, account, {
    actions: [...makeEntry(id, account).actions, ...actionsOf({ writes })],
  });

/** The ids of those of the entries that can be sent while a request of others is in flight. */
function findReadyIds(entries: Entry[], inFlight: Entry[] = [], sinceMs = 0) {
  const attempt = new Attempt(inFlight.map((entry) => new PendingEntry(entry)));
  attempt.markSent(0);
  const waiting = entries.map((entry) => new PendingEntry(entry));
  const ready = findReady(waiting, [attempt], sinceMs);
  return ready.map(({ entry }) => entry.idempotencyKey.replace('ORDER#', ''));
}

interface Case {
  title: string;
  entries: Entry[];
  ready: string[];
}

test.each<Case>([
  {
    title: 'waits if both write the same item',
    entries: [writing('1', 'a', update('x')), writing('2', 'b', update('x'))],
    ready: ['1'],
  },
  {
    title: 'waits if it writes an item that the other one increments',
    entries: [makeEntry('1'), writing('2', 'b', update('a', 'TOTAL'))],
    ready: ['1'],
  },
  {
    title: 'waits if it increments an item that the other one writes',
    entries: [writing('1', 'b', update('a', 'TOTAL')), makeEntry('2')],
    ready: ['1'],
  },
  {
    title: 'waits for one that waits, too',
    entries: [
      writing('1', 'a', update('x')),
      writing('2', 'b', update('x'), update('y')),
      writing('3', 'c', update('y')),
    ],
    ready: ['1'],
  },
  {
    title: 'waits if it checks the same item for something else',
    entries: [writing('1', 'a', check('shop', 'a = b')), writing('2', 'b', check('shop', 'a < b'))],
    ready: ['1'],
  },
  {
    title: 'waits if a Put must find no item',
    entries: ['1', '2'].map((id) =>
      writing(id, 'a', {
        Put: { Item: { PK: 'x', SK: 'y' }, ConditionExpression: 'attribute_not_exists(PK)' },
      }),
    ),
    ready: ['1'],
  },
  {
    title: 'goes along if both only check that an item exists',
    entries: ['1', '2'].map((id) =>
      writing(id, 'a', check('shop', 'a = b'), {
        Put: { Item: { PK: 'x', SK: 'y' }, ConditionExpression: ' attribute_exists( PK )' },
      }),
    ),
    ready: ['1', '2'],
  },
  {
    title: 'goes along if it shares only increments and a sheet',
    entries: [
      makeEntry('1'),
      makeSlotEntry('sheet', 2),
      makeSlotEntry('sheet', 3),
      writing('4', 'a', put('x')),
      writing('5', 'b', put('y'), put('y', 'other')),
      writing('6', 'd', { Delete: { TableName: 'elsewhere', Key: { PK: 'x', SK: 'ORDER' } } }),
    ],
    ready: ['1', 'sheet.2', 'sheet.3', '4', '5', '6'],
  },
])('beside an earlier entry, a later one $title', ({ entries, ready }) => {
  expect(findReadyIds(entries)).toEqual(ready);
});

test('an entry waits for a request on its items, and goes if that takes unusually long', () => {
  const entries = [makeEntry('2'), makeEntry('3', 'b')];

  expect(findReadyIds(entries, [makeEntry('1')], 499)).toEqual(['3']);
  expect(findReadyIds(entries, [makeEntry('1')], 500)).toEqual(['2', '3']);
});

test('an entry never overtakes a write to its item, however long that takes', () => {
  const inFlight = [writing('1', 'a', update('x'))];

  expect(findReadyIds([writing('2', 'b', update('x'))], inFlight, 60_000)).toEqual([]);
});

test('a write that meets contention is not overtaken by a later one on its item', async () => {
  const first = writing('1', 'a', update('x'));
  const entries = [first, writing('2', 'b', update('x'))];
  const contended = cancelled(none, none, none, conflict);

  const { outcomes, batches } = await commit(entries, contended, contended);

  expect(outcomes).toEqual([committed, committed]);
  expect(batches).toEqual(['1', '1', '1', '2']);
});
