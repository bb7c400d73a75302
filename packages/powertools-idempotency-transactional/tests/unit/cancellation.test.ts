import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { readCancellation } from '../../src/cancellation.ts';
import { CommitRejectedError, ConditionFailedError, ItemMissingError } from '../../src/errors.ts';
import { buildTransaction } from '../../src/transaction.ts';
import { actionsOf, makeEntry, makeSlotEntry } from '../helpers/entries.ts';

const nowMs = 1_800_000_000_999;
const none: CancellationReason = { Code: 'None' };
const failed: CancellationReason = { Code: 'ConditionalCheckFailed' };
const conflict: CancellationReason = { Code: 'TransactionConflict' };
const invalid: CancellationReason = { Code: 'ValidationError', Message: 'too large' };
const holding = (ttl: string, others = {}): CancellationReason => ({
  ...failed,
  Item: { PK: { S: 'ORDER#1' }, ttl: { N: ttl }, validation: { S: 'hash' }, ...others },
});
const alive = holding('1800000001');
const expired = holding('1800000000');
/** JavaScript can't represent it. */
const number = { N: '9007199254740993.5' };

const duplicate = { kind: 'duplicate', payloadHash: 'hash', expirySeconds: 1_800_000_001 };
const rejected = new CommitRejectedError('ValidationError: too large');
const missing = (PK: string) => new ItemMissingError({ PK, SK: 'TOTAL' });

interface Read {
  /** By the entry's number. */
  outcomes?: Record<number, unknown>;
  replaces?: number[];
  contended?: number[];
  sharedRejection?: Error;
}

// Entries 1 and 2 are of account a, and 3 is of b. The positions are their markers, then a's TOTAL and DAY, then b's.
const entries = [makeEntry('1'), makeEntry('2'), makeEntry('3', 'b')];
const transaction = buildTransaction(entries, 0);

describe('what the reasons of a cancellation mean for each entry', () => {
  test.each<[string, CancellationReason[], Read]>([
    ['no reasons', [], {}],
    ['a position without a code', [{}, none, none, none], {}],
    ['contention at a marker: its entry', [conflict], { contended: [1] }],
    ['throttling at a marker: its entry', [{ Code: 'ThrottlingError' }], { contended: [1] }],
    ...[
      'TransactionConflict',
      'ThrottlingError',
      'ProvisionedThroughputExceeded',
      'RequestLimitExceeded',
    ].map((Code): [string, CancellationReason[], Read] => [
      `${Code} at a shared item: all its entries`,
      [none, none, none, none, { Code }],
      { contended: [1, 2] },
    ]),
    ['a live marker: a duplicate', [alive], { outcomes: { 1: duplicate } }],
    ['an expired marker: it may be replaced', [expired], { replaces: [1] }],
    ['a marker that is gone by now, or unreadable: contended', [failed], { contended: [1] }],
    [
      'a marker whose response is unreadable: only its entry is rejected',
      [holding('1800000001', { data: number })],
      { outcomes: { 1: expect.objectContaining({ name: 'CommitRejectedError' }) } },
    ],
    [
      'a missing item: the entries that require it',
      [none, none, none, none, none, failed],
      { outcomes: { 3: missing('b') } },
    ],
    [
      'a duplicate stays one even if its item is missing by now',
      [none, alive, none, failed],
      { outcomes: { 1: missing('a'), 2: duplicate } },
    ],
    [
      'contention at another item does not hide a missing one',
      [none, none, none, failed, conflict],
      { outcomes: { 1: missing('a'), 2: missing('a') }, contended: [1, 2] },
    ],
    [
      'an item is missing, but the marker was contended: perhaps a duplicate',
      [conflict, none, none, failed],
      { outcomes: { 2: missing('a') }, contended: [1] },
    ],
    [
      'an item is missing, but the marker was refused without its item: perhaps a duplicate',
      [failed, none, none, failed],
      { outcomes: { 2: missing('a') }, contended: [1] },
    ],
    [
      'any other code at a marker: its entry is rejected',
      [none, { Code: 'SomethingNew', Message: 'no' }],
      { outcomes: { 2: new CommitRejectedError('SomethingNew: no') } },
    ],
    [
      'any other code at an own item: its entry is rejected',
      [none, none, none, none, none, invalid],
      { outcomes: { 3: rejected } },
    ],
    [
      'any other code at a shared item: one of its entries is at fault',
      [none, none, none, none, invalid],
      { sharedRejection: rejected },
    ],
  ])('%s', (_, reasons, { outcomes = {}, replaces = [], contended = [], sharedRejection }) => {
    const numbers = new Map(entries.map((entry, index) => [entry, index + 1]));
    const numberOf = (entry: (typeof entries)[number]) => numbers.get(entry);

    const read = readCancellation(transaction, reasons, nowMs);

    expect({
      outcomes: Object.fromEntries([...read.outcomes].map(([one, what]) => [numberOf(one), what])),
      replaces: [...read.markers].map(([one, marker]) => [numberOf(one), marker]),
      contended: [...read.contended].map(numberOf),
      sharedRejection: read.sharedRejection,
    }).toEqual({
      outcomes,
      replaces: replaces.map((one) => [one, { ...entries[one - 1]?.marker, mayReplace: true }]),
      contended,
      sharedRejection,
    });
  });
});

describe('a failed condition of a write', () => {
  const isNew = { ConditionExpression: 'attribute_not_exists(PK)' };
  const writes = ['BOOKED', 'INVOICE'].map((SK) => ({ Put: { Item: { PK: '4', SK }, ...isNew } }));
  const writer = makeEntry('4', 'c', { actions: actionsOf({ writes }) });
  const key = { PK: '4', SK: 'BOOKED' };

  test.each<[string, CancellationReason[], unknown]>([
    ['fails the entry', [none, failed], new ConditionFailedError('orders', key)],
    [
      'returns the item that was there',
      [none, { ...failed, Item: { sum: { N: '1' } } }],
      new ConditionFailedError('orders', key, { sum: 1 }),
    ],
    [
      'leaves out an item with a number that JavaScript cannot represent',
      [none, { ...failed, Item: { sum: number } }],
      new ConditionFailedError('orders', key),
    ],
    [
      'is not hidden by contention at another item',
      [none, failed, conflict],
      new ConditionFailedError('orders', key),
    ],
    ['says nothing if the marker met contention', [conflict, failed], undefined],
    ['says nothing if the marker was throttled', [{ Code: 'ThrottlingError' }, failed], undefined],
    ['says nothing if the marker was refused without its item', [failed, failed], undefined],
  ])('%s', (_, reasons, outcome) => {
    const { outcomes } = readCancellation(buildTransaction([writer], 0), reasons, nowMs);

    expect(outcomes.get(writer)).toEqual(outcome);
  });

  test('says nothing if the sheet of the marker may not be read', () => {
    const place = (index: number) => {
      const { marker } = makeSlotEntry('sheet', index);
      const actions = actionsOf({ writes: writes.slice(index, index + 1) });
      return makeEntry(`${index}`, 'c', { actions, ...(marker && { marker }) });
    };
    const denied = { Code: 'AccessDeniedException', Message: 'cannot read the marker' };
    const booking = buildTransaction([place(0), place(1)], 0);

    const { outcomes, sharedRejection } = readCancellation(booking, [denied, failed, none], nowMs);

    expect(outcomes.size).toBe(0);
    expect(sharedRejection).toMatchObject({ name: 'CommitRejectedError' });
  });
});
