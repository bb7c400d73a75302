import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/entry.ts';
import { CommitRejectedError } from '../../src/errors.ts';
import { buildTransaction } from '../../src/transaction.ts';
import { judgeError, type Verdict } from '../../src/verdict.ts';
import {
  conditionError,
  entryOf,
  makeEntry,
  makeSlotEntry,
  missingError,
} from '../helpers/entries.ts';
import { conflict, conditionFailed as failed, none } from './scripted-dynamodb.ts';

const nowMs = 1_800_000_000_999;
const throttled: CancellationReason = { Code: 'ThrottlingError' };
const invalid: CancellationReason = { Code: 'ValidationError', Message: 'too large' };
const holding = (ttl: string, others = {}): CancellationReason => ({
  ...failed,
  Item: { PK: { S: 'ORDER#1' }, ttl: { N: ttl }, validation: { S: 'hash' }, ...others },
});
const alive = holding('1800000001');
const expired = holding('1800000000');
/** JavaScript can't represent it. */
const number = { N: '9007199254740993.5' };
const unreadable = holding('1800000001', { data: number });

const duplicate = { kind: 'duplicate', payloadHash: 'hash', expirySeconds: 1_800_000_001 };
const rejected = new CommitRejectedError('ValidationError: too large');
const unread = expect.objectContaining({ name: 'CommitRejectedError' });
const missing = (PK: string) => missingError({ PK, SK: 'TOTAL' });

/** The verdict on a cancelled transaction of these entries, whose actions have these reasons. */
function judge(entries: Entry[], CancellationReasons: CancellationReason[]): Verdict {
  const given = { message: '', $metadata: {}, CancellationReasons };
  const transaction = buildTransaction(entries, 0);
  return judgeError(new TransactionCanceledException(given), transaction, nowMs);
}

/** What a verdict says about an entry; undefined if it's sent again as it is. */
function findIn(verdict: Verdict, entry: Entry): unknown {
  if (verdict.kind === 'split' && verdict.second.includes(entry)) return 'goes apart';
  if (verdict.kind !== 'failed') return undefined;
  return verdict.changed.get(entry)?.marker ?? verdict.outcomes.get(entry);
}

// Entries 1 and 2 are of account a, and 3 is of b. Markers come first in their transaction.
const entries = [makeEntry('1'), makeEntry('2'), makeEntry('3', 'b')];
const positions = ['m1', 'm2', 'm3', 'aTotal', 'aDay', 'bTotal', 'bDay'] as const;
type Reasons = { [position in (typeof positions)[number]]?: CancellationReason };
type Row = [Verdict['kind'], string, Reasons, { [entry in 1 | 2 | 3]?: unknown }];
const replacing = { ...entries[0]?.marker, mayReplace: true };
const transient = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
];

// The first row that applies wins: docs/how-it-counts.md has the same table.
test.each<Row>([
  ['failed', 'a live marker', { m1: alive }, { 1: duplicate }],
  ['failed', 'a missing item', { bTotal: failed }, { 3: missing('b') }],
  ['failed', 'any other code at a marker', { m2: invalid }, { 2: rejected }],
  ['failed', 'any other code at an own item', { bTotal: invalid }, { 3: rejected }],
  ['failed', 'a marker with an unreadable response', { m1: unreadable }, { 1: unread }],
  ['failed', 'an expired marker', { m1: expired }, { 1: replacing }],
  [
    'failed',
    'a duplicate, whose item is missing by now',
    { m2: alive, aTotal: failed },
    { 1: missing('a'), 2: duplicate },
  ],
  [
    'failed',
    'a missing item beside contention at another',
    { aTotal: failed, aDay: conflict },
    { 1: missing('a'), 2: missing('a') },
  ],
  ...[conflict, throttled, failed].map(
    (m1): Row => [
      'failed',
      `a missing item, but not for an entry whose marker met ${m1.Code}: perhaps a duplicate`,
      { m1, aTotal: failed },
      { 2: missing('a') },
    ],
  ),
  ['split', 'any other code at a shared item', { aDay: invalid }, { 3: 'goes apart' }],
  ['split', 'contention at a marker', { m1: conflict }, { 1: 'goes apart' }],
  ['split', 'a marker that is gone or unreadable', { m1: failed }, { 1: 'goes apart' }],
  [
    'split',
    'contention at a shared item',
    { aDay: conflict },
    { 1: 'goes apart', 2: 'goes apart' },
  ],
  ...transient.map((Code): Row => ['split', Code, { bTotal: { Code } }, { 3: 'goes apart' }]),
  ['retry', 'contention at an item of each entry', { aDay: conflict, bDay: conflict }, {}],
  ['retry', 'a position without a code', { m1: {} }, {}],
])('the verdict on a cancelled transaction is "%s" for %s', (kind, _, given, expected) => {
  const reasons = positions.map((position) => given[position] ?? none);

  const verdict = judge(entries, reasons);

  const found = entries.map((entry, index) => [index + 1, findIn(verdict, entry)]);
  expect({ ...Object.fromEntries(found), kind: verdict.kind }).toEqual({ ...expected, kind });
});

const writes = ['BOOKED', 'INVOICE'].map((SK) => ({ Put: { Item: { PK: '4', SK } } }));
const writer = entryOf('4', { writes });
const failure = (item?: object) => conditionError({ PK: '4', SK: 'BOOKED' }, item);

test.each<[string, CancellationReason[], unknown]>([
  ['fails its entry', [none, failed, conflict], failure()],
  ['returns the item', [none, { ...failed, Item: { a: { N: '1' } } }], failure({ a: 1 })],
  ['leaves out an unreadable item', [none, { ...failed, Item: { a: number } }], failure()],
  ['says nothing if the marker met contention', [conflict, failed], undefined],
])('a failed condition of a write %s', (_, reasons, outcome) => {
  expect(findIn(judge([writer], reasons), writer)).toEqual(outcome);
});

test('a missing item says nothing if the sheet of the marker may not be read', () => {
  const denied = { Code: 'AccessDeniedException', Message: 'cannot read the marker' };
  const placed = ['a', 'b'].map((account, slot) => makeSlotEntry('sheet', slot, account));

  expect(judge(placed, [denied, failed])).toMatchObject({
    kind: 'split',
    contendedItems: new Set(),
  });
});
