import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { readCancellation } from '../../src/cancellation.ts';
import { CommitRejectedError, ItemMissingError } from '../../src/errors.ts';
import { buildTransaction } from '../../src/transaction.ts';
import { actionsOf, makeEntry, makeSlotEntry } from '../helpers/entries.ts';

// Two entries of account a and one of account b: markers 1, 2, 3; then a TOTAL, a DAY, b TOTAL, b DAY.
const [first, second, other] = [makeEntry('1'), makeEntry('2'), makeEntry('3', 'b')];
const transaction = buildTransaction([first, second, other], 0);
const nowMs = 1_800_000_000_999;
const none: CancellationReason = { Code: 'None' };
const taken: CancellationReason = {
  Code: 'ConditionalCheckFailed',
  Message: 'The conditional request failed',
  Item: { PK: { S: 'ORDER#1' }, ttl: { N: '1800000001' }, validation: { S: 'hash' } },
};
const duplicate = { kind: 'duplicate', payloadHash: 'hash', expirySeconds: 1_800_000_001 };
const failed: CancellationReason = { Code: 'ConditionalCheckFailed' };
const invalid: CancellationReason = { Code: 'ValidationError', Message: 'Item size too large' };

const nothing = { outcomes: new Map(), markers: new Map(), contended: new Set() };
const read = (...reasons: CancellationReason[]) => readCancellation(transaction, reasons, nowMs);
const outcomesOf = (...reasons: CancellationReason[]) => [...read(...reasons).outcomes];

describe('an entry is only contended', () => {
  test.each([
    'TransactionConflict',
    'ThrottlingError',
    'ProvisionedThroughputExceeded',
    'RequestLimitExceeded',
  ])('after %s at its marker or at one of its items', (Code) => {
    expect(read({ Code }, none, none, none, none, none, none)).toEqual({
      ...nothing,
      contended: new Set([first]),
    });
    expect(read(none, none, none, none, { Code }, none, none)).toEqual({
      ...nothing,
      contended: new Set([first, second]),
    });
  });
});

test.each([
  ['a cancellation without reasons', []],
  ['a position without a code', [{}, none, none, none, none, none, none]],
])('%s settles nothing', (_, reasons) => {
  expect(read(...reasons)).toEqual(nothing);
});

test('an entry whose marker is gone by now, or unreadable, is contended like one in a conflict', () => {
  expect(read(failed, none, none, none, none, none, none)).toEqual({
    ...nothing,
    contended: new Set([first]),
  });
});

test('a failed condition at a marker that has expired makes no duplicate', () => {
  const expired = { ...taken, Item: { PK: { S: 'ORDER#1' }, ttl: { N: '1800000000' } } };

  expect(read(expired, none, none, none, none, none, none)).toEqual({
    ...nothing,
    markers: new Map([[first, { ...first.marker, mayReplace: true }]]),
  });
});

test('a duplicate stays a duplicate even if its item is missing by now', () => {
  expect(outcomesOf(none, taken, none, failed, none, none, none)).toEqual([
    [second, duplicate],
    [first, new ItemMissingError({ PK: 'a', SK: 'TOTAL' })],
  ]);
});

/** An entry that stores an item for each sort key, unless there is one. */
function makeWriter(...sortKeys: string[]) {
  const ConditionExpression = 'attribute_not_exists(PK)';
  const writes = sortKeys.map((SK) => ({
    Put: { ConditionExpression, Item: { PK: 'ORDER#4', SK } },
  }));
  return makeEntry('4', 'c', { actions: actionsOf({ writes }) });
}

describe('a failed condition at another item than its marker fails no entry', () => {
  const writer = makeWriter('BOOKED');
  const booking = buildTransaction([writer], 0);

  test.each([
    ['whose marker met contention', { Code: 'TransactionConflict' }],
    ['whose marker was throttled', { Code: 'ThrottlingError' }],
    ['whose marker was refused without the item in the way', failed],
  ])('%s', (_, atMarker) => {
    expect(readCancellation(booking, [atMarker, failed], nowMs).outcomes.size).toBe(0);
    expect(outcomesOf(atMarker, none, none, failed, none, none, none)).toEqual([
      [second, new ItemMissingError({ PK: 'a', SK: 'TOTAL' })],
    ]);
  });

  test('but it does if the marker is free', () => {
    const { outcomes } = readCancellation(booking, [none, failed], nowMs);

    expect(outcomes.get(writer)).toMatchObject({ name: 'ConditionFailedError' });
  });
});

test('contention at another item does not hide that one is missing', () => {
  const missing = new ItemMissingError({ PK: 'a', SK: 'TOTAL' });
  const conflict = { Code: 'TransactionConflict' };

  expect(outcomesOf(none, none, none, failed, conflict, none, none)).toEqual([
    [first, missing],
    [second, missing],
  ]);
  expect(outcomesOf(none, none, none, none, conflict, failed, none)).toEqual([
    [other, new ItemMissingError({ PK: 'b', SK: 'TOTAL' })],
  ]);
});

test('contention at one item does not hide that the condition of another failed', () => {
  const writer = makeWriter('BOOKED', 'INVOICE');
  const booking = buildTransaction([writer], 0);
  const reasons = [none, { Code: 'TransactionConflict' }, failed];

  const { outcomes } = readCancellation(booking, reasons, nowMs);

  expect(outcomes.get(writer)).toMatchObject({ name: 'ConditionFailedError' });
});

test('any other code rejects an entry if it is at its marker or at an item of its own', () => {
  const atMarker = { Code: 'SomethingNew', Message: 'no' };

  expect(outcomesOf(none, atMarker, none, none, none, invalid, none)).toEqual([
    [second, new CommitRejectedError('SomethingNew: no')],
    [other, new CommitRejectedError('ValidationError: Item size too large')],
  ]);
});

test('a rejected item that several entries share does not say which one is at fault', () => {
  const { outcomes, sharedRejection } = read(none, none, none, none, invalid, none, none);

  expect(outcomes.size).toBe(0);
  expect(sharedRejection).toEqual(new CommitRejectedError('ValidationError: Item size too large'));
});

describe('an item with a number that JavaScript cannot represent', () => {
  const number = { N: '9007199254740993.5' };

  test('is left out of the error of a failed condition', () => {
    const writer = makeWriter('BOOKED');
    const refused = { ...failed, Item: { sum: number } };

    const { outcomes } = readCancellation(buildTransaction([writer], 0), [none, refused], nowMs);

    expect(outcomes.get(writer)).toMatchObject({ name: 'ConditionFailedError', item: undefined });
  });

  test('rejects only the entry whose marker has it as a response', () => {
    const refused = { ...taken, Item: { ...taken.Item, data: number } };

    expect(outcomesOf(refused, none, none, none, none, none, none)).toEqual([
      [first, expect.objectContaining({ name: 'CommitRejectedError' })],
    ]);
  });
});

test('a sheet that may not be read leaves open whether an entry on it was committed', () => {
  const place = (index: number) => {
    const { marker } = makeSlotEntry('sheet', index);
    return { ...makeWriter('BOOKED'), ...(marker && { marker }) };
  };
  const denied = { Code: 'AccessDeniedException', Message: 'cannot read the marker' };

  const { outcomes, sharedRejection } = readCancellation(
    buildTransaction([place(0), place(1)], 0),
    [denied, failed, none],
    nowMs,
  );

  expect(outcomes.size).toBe(0);
  expect(sharedRejection).toMatchObject({ name: 'CommitRejectedError' });
});
