import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allActionsOf, type Entry } from '../../src/entry.ts';
import { packEntries } from '../../src/pack.ts';
import {
  actionsOf,
  makeEntries,
  makeEntry,
  makeMarker,
  makeSlotEntry,
} from '../helpers/entries.ts';

const sizesOf = (entries: Entry[]) => packEntries(entries).map((each) => each.map((t) => t.length));
const accounts = (count: number) => Array.from({ length: count }, (_, index) => `account-${index}`);

test('puts more than 98 entries of one account into a series of several transactions', () => {
  // 98 markers and two items make 100.
  expect(sizesOf(makeEntries(98))).toEqual([[98]]);
  expect(sizesOf(makeEntries(300))).toEqual([[98, 98, 98, 6]]);
});

test('packs several accounts into one transaction without splitting any', () => {
  // 20 accounts of 5: each takes 5 markers and 2 items; 7 of them make 49.
  const entries = accounts(20).flatMap((account) => makeEntries(5, account));

  expect(sizesOf(entries)).toEqual([[35], [35], [30]]);
});

test('fills transactions by half while there are requests left, and then to 100 items', () => {
  // An account of one entry takes three items. Eight requests are in flight at once.
  const entries = (count: number) => accounts(count).map((account) => makeEntry(account, account));

  expect(sizesOf(entries(100))).toEqual([[16], [16], [16], [16], [16], [16], [4]]);
  expect(sizesOf(entries(8 * 33 + 1))).toEqual([...Array(8).fill([33]), [1]]);
});

test('keeps other accounts out of the series of a big account', () => {
  expect(sizesOf([...makeEntries(5, 'b'), ...makeEntries(100)])).toEqual([[98, 2], [5]]);
});

/** Increments of the items with these keys. */
const shares = (...keys: string[]) => ({
  actions: actionsOf({ increments: keys.map((PK) => ({ key: { PK }, attribute: 'n', by: 1 })) }),
});

test('keeps entries together whose relation shows late', () => {
  // The third entry joins the groups of the first two; only then comes one that shares w.
  const chain = [
    makeEntry('1', '', shares('w', 'x')),
    makeEntry('2', '', shares('y')),
    makeEntry('3', '', shares('x', 'y')),
    makeEntry('4', '', shares('w')),
  ];

  expect(sizesOf(chain)).toEqual([[4]]);
});

test('gives an entry that fits in no transaction one of its own', () => {
  const tooBig = makeEntry('big', '', shares(...accounts(100)));

  expect(sizesOf([tooBig, makeEntry('small')])).toEqual([[1], [1]]);
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

/** `count` entries of an account each, which fill `sheets` sheets evenly. */
const cold = (count: number, sheets: number) =>
  accounts(count).map((account, index) =>
    makeSlotEntry(`sheet-${index % sheets}`, Math.floor(index / sheets), account),
  );

/** How many items are written by all transactions together. */
const countItems = (entries: Entry[]) =>
  packEntries(entries)
    .flat()
    .reduce((sum, transaction) => sum + itemsOf(transaction).size, 0);

const itemsOf = (entries: Entry[]) =>
  new Set(entries.flatMap(allActionsOf).map(({ itemId }) => itemId));

test('cuts related entries that have no increments, and loses none', () => {
  const entries = Array.from({ length: 60 }, (_, slot) => {
    const writes = ['x', 'y'].map((SK) => ({ Put: { Item: { PK: `${slot}`, SK } } }));
    return { ...makeSlotEntry('sheet', slot), actions: actionsOf({ writes }) };
  });

  const transactions = packEntries(entries).flat();

  // Two items each, and the sheet: 49 of them fit.
  expect(transactions.map(({ length }) => length)).toEqual([49, 11]);
});

describe('with markers on sheets', () => {
  test('a hot account takes one transaction for a thousand entries', () => {
    const hot = Array.from({ length: 1_000 }, (_, index) =>
      makeSlotEntry(`sheet-${index % 10}`, Math.floor(index / 10)),
    );

    expect(sizesOf(hot)).toEqual([[1_000]]);
  });

  test('sheets stay whole even if an account that is on all of them ties them together', () => {
    const hub = Array.from({ length: 10 }, (_, sheet) =>
      makeSlotEntry(`sheet-${sheet}`, 100, 'hub'),
    );

    // A sheet, its 20 accounts and the hub make 43 items, so two sheets share a transaction.
    expect(countItems([...cold(200, 10), ...hub])).toBe(10 + 400 + 5 * 2);
  });

  test('hot accounts are kept together, and their sheets are written again', () => {
    // 60 accounts on ten sheets, each account on each sheet: 45 accounts fill a transaction.
    const entries = accounts(60).flatMap((account, index) =>
      Array.from({ length: 10 }, (_, sheet) => makeSlotEntry(`sheet-${sheet}`, index, account)),
    );

    expect(sizesOf(entries)).toEqual([[450, 150]]);
    expect(countItems(entries)).toBe(10 + 90 + 10 + 30);
  });

  test('no entry is lost, and no transaction exceeds 100 items, for any mix', () => {
    const placed = fc.record({
      account: fc.integer({ max: 80, min: 0 }),
      sheet: fc.option(fc.integer({ max: 40, min: 0 })),
    });

    fc.assert(
      fc.property(fc.array(placed, { maxLength: 400 }), (mix) => {
        const entries = mix.map(({ account, sheet }, index) =>
          sheet === null
            ? makeEntry(`${index}`, `account-${account}`)
            : makeSlotEntry(`sheet-${sheet}`, index % 128, `account-${account}`),
        );

        const series = packEntries(entries);

        const transactions = series.flat();
        expect(transactions.flat()).toHaveLength(entries.length);
        expect(new Set(transactions.flat())).toEqual(new Set(entries));
        for (const transaction of transactions) {
          expect(itemsOf(transaction).size).toBeLessThanOrEqual(100);
        }
        const seen = new Map<string, number>();
        for (const [each, own] of series.entries()) {
          for (const item of itemsOf(own.flat())) {
            expect(seen.get(item) ?? each).toBe(each);
            seen.set(item, each);
          }
        }
      }),
    );
  });
});
