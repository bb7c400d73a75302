import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allActionsOf, type Entry } from '../../src/entry.ts';
import { packEntries } from '../../src/pack.ts';
import { buildTransaction } from '../../src/transaction.ts';
import {
  actionsOf,
  applyAction,
  entryOf,
  makeEntries,
  makeEntry,
  makeMarker,
  makeSlotEntry,
} from '../helpers/entries.ts';

const list = <Value>(length: number, make: (index: number) => Value) =>
  Array.from({ length }, (_, index) => make(index));
const accounts = (count: number) => list(count, (index) => `account-${index}`);
/** An entry of each account takes three items. */
const oneEach = (count: number) => accounts(count).map((account) => makeEntry(account, account));
/** An entry with increments of the items with these keys. */
const sharing = (id: string, ...keys: string[]) =>
  entryOf(id, { increments: keys.map((PK) => ({ key: { PK }, attribute: 'n', by: 1 })) });
/** An entry that has a slot of a sheet, and writes two items of its own. */
const writing = (slot: number) => {
  const writes = ['x', 'y'].map((SK) => ({ Put: { Item: { PK: `${slot}`, SK } } }));
  return { ...makeSlotEntry('sheet', slot), actions: actionsOf({ writes }) };
};
/** An entry of each account on each of ten sheets. */
const onTenSheets = (count: number) =>
  accounts(count).flatMap((account, slot) =>
    list(10, (sheet) => makeSlotEntry(`sheet-${sheet}`, slot, account)),
  );

test.each<[string, Entry[], number[][]]>([
  // 98 markers and two items make 100.
  ['98 entries of one account fill a transaction', makeEntries(98), [[98]]],
  ['more of them form a queue of transactions', makeEntries(300), [[98, 98, 98, 6]]],
  [
    // 20 accounts of 5: each takes 5 markers and 2 items; 7 of them make 49.
    'several accounts share a transaction without being split',
    accounts(20).flatMap((account) => makeEntries(5, account)),
    [[35], [35], [30]],
  ],
  [
    'transactions are filled by half while there are requests left',
    oneEach(100),
    [[16], [16], [16], [16], [16], [16], [4]],
  ],
  ['and then to 100 items', oneEach(8 * 33 + 1), [...Array(8).fill([33]), [1]]],
  [
    'other accounts are kept out of the queue of a big account',
    [...makeEntries(5, 'b'), ...makeEntries(100)],
    [[98, 2], [5]],
  ],
  [
    // The third entry joins the groups of the first two; only then comes one that shares w.
    'entries stay together whose relation shows late',
    [sharing('1', 'w', 'x'), sharing('2', 'y'), sharing('3', 'x', 'y'), sharing('4', 'w')],
    [[4]],
  ],
  [
    'an entry that fits in no transaction gets one of its own',
    [sharing('big', ...accounts(100)), makeEntry('small')],
    [[1], [1]],
  ],
  // Two items each, and the sheet: 49 of them fit.
  ['related entries that have no increments are cut', list(60, writing), [[49, 11]]],
  [
    'a hot account on ten sheets takes one transaction for a thousand entries',
    list(1_000, (index) => makeSlotEntry(`sheet-${index % 10}`, Math.floor(index / 10))),
    [[1_000]],
  ],
  // Each of 45 accounts fills two of 100 items, and the sheets the others. Then they are written again.
  ['hot accounts stay together, and their sheets do not', onTenSheets(60), [[450, 150]]],
])('%s', (_, entries, sizes) => {
  expect(packEntries(entries).map((queue) => queue.map(({ length }) => length))).toEqual(sizes);
});

test.each([
  ['of one account', () => 'a'],
  ['of an account each', (id: string) => id],
])('fills 4 MB with markers %s to the last byte', (_, of) => {
  const half = 2 * 1024 * 1024;
  const sized = (id: string, bytes: number) =>
    makeEntry(id, of(id), { marker: makeMarker({ PK: { S: id } }, { bytes }) });

  expect(packEntries([sized('1', half), sized('2', half)]).flat()).toHaveLength(1);
  expect(packEntries([sized('1', half), sized('2', half + 1)]).flat()).toHaveLength(2);
});

// The model of DynamoDB rejects expressions that are too long.
test('expressions stay within their limits if 1,000 entries on eight sheets add to an attribute each', () => {
  const entries = list(1_000, (index) => {
    const increments = [{ key: { PK: 'hot', SK: 'TAGS' }, attribute: `attribute-${index}`, by: 1 }];
    const slotted = makeSlotEntry(`sheet-${index % 8}`, Math.floor(index / 8));
    return { ...slotted, actions: actionsOf({ increments }) };
  });

  const packed = packEntries(entries).flat();

  expect(packed).toHaveLength(4);
  expect(packed.flat()).toHaveLength(entries.length);
  for (const transaction of packed) {
    for (const item of buildTransaction(transaction, 0).items) applyAction(item);
  }
});

const itemsOf = (entries: Entry[]) =>
  new Set(entries.flatMap(allActionsOf).map(({ itemId }) => itemId));

test('sheets stay whole even if an account that is on all of them ties them together', () => {
  const cold = accounts(200).map((account, index) =>
    makeSlotEntry(`sheet-${index % 10}`, Math.floor(index / 10), account),
  );
  const hub = list(10, (sheet) => makeSlotEntry(`sheet-${sheet}`, 100, 'hub'));

  const written = packEntries([...cold, ...hub]).flat();

  // A sheet, its 20 accounts and the hub make 43 items, so two sheets share a transaction.
  const items = written.reduce((sum, transaction) => sum + itemsOf(transaction).size, 0);
  expect(items).toBe(10 + 400 + 5 * 2);
});

test('no entry is lost, no transaction exceeds 100 items, and no queues share an item, for any mix', () => {
  const placed = fc.record({
    account: fc.integer({ max: 80, min: 0 }),
    sheet: fc.option(fc.integer({ max: 40, min: 0 })),
  });
  const property = fc.property(fc.array(placed, { maxLength: 400 }), (mix) => {
    const entries = mix.map(({ account, sheet }, index) =>
      sheet === null
        ? makeEntry(`${index}`, `account-${account}`)
        : makeSlotEntry(`sheet-${sheet}`, index % 128, `account-${account}`),
    );

    const queues = packEntries(entries);

    const packed = queues.flat(2);
    expect(packed).toHaveLength(entries.length);
    expect(new Set(packed)).toEqual(new Set(entries));
    for (const transaction of queues.flat()) {
      expect(itemsOf(transaction).size).toBeLessThanOrEqual(100);
    }
    const items = queues.flatMap((own) => [...itemsOf(own.flat())]);
    expect(items).toHaveLength(new Set(items).size);
  });

  fc.assert(property);
});
