import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import type { Entry, SlotMarker } from '../../src/entry.ts';
import { CommitRejectedError } from '../../src/errors.ts';
import { slotsPerSheet } from '../../src/sheet.ts';
import { buildTransaction } from '../../src/transaction.ts';
import { applyAction, makeEntry, makeSlotEntry } from '../helpers/entries.ts';
import {
  type Answer,
  cancelled,
  commit,
  committed,
  conditionFailed,
  failing,
  hanging,
  none,
} from './scripted-dynamodb.ts';

const build = (...entries: Entry[]) => buildTransaction(entries, 0).items;
const key = { PK: { S: 'sheet' }, SK: { S: 'ORDER' } };
const ttl = { N: '2000000000' };
/** The first five bytes of "hash of …". */
const hash = { B: Buffer.from('hash ') };
const sheet = (slots: Record<string, AttributeValue>, expiry: AttributeValue = ttl) => ({
  ...key,
  ttl: expiry,
  ...slots,
});
const refusedBy = (Item: Record<string, AttributeValue>): CancellationReason => ({
  ...conditionFailed,
  Item,
});
/** How each request sets its sheets: their partition keys and slots. */
const sheetsOf = (sent: Awaited<ReturnType<typeof commit>>['sent']) =>
  sent.map(({ TransactItems = [] }) =>
    TransactItems.flatMap(({ Update: { Key, UpdateExpression = '' } = {} }) =>
      UpdateExpression.startsWith('SET')
        ? [`${Key?.PK?.S}: ${[...UpdateExpression.matchAll(/[a-m]\d(?= =)/g)].join(' ')}`]
        : [],
    ),
  );
const duplicateOf = (account: string) => ({
  kind: 'duplicate',
  payloadHash: Buffer.from(`hash of ${account}`).toString('base64'),
  slotValue: hash.B,
  expirySeconds: 2_000_000_000,
});

describe('entries of one sheet take one action', () => {
  const [fillTwo] = build(makeSlotEntry('sheet', 0), makeSlotEntry('sheet', 17));
  const both = { a0: hash, b7: hash };

  test.each<[string, ReturnType<typeof sheet> | undefined, unknown]>([
    ['creates it', undefined, sheet(both)],
    ['keeps the slots of others', sheet({ a1: hash }), sheet({ ...both, a1: hash })],
    ['is refused if its first slot is taken', sheet({ a0: hash }), undefined],
    ['is refused if its last slot is taken', sheet({ b7: hash }), undefined],
    ['moves the expiry forward', sheet({}, { N: '1999999999' }), sheet(both)],
    ['never moves the expiry back', sheet({}, { N: '2000000001' }), undefined],
  ])('which %s', (_, stored, expected) => {
    expect(applyAction(fillTwo, stored)).toEqual(expected);
    expect(fillTwo?.Update?.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD');
  });

  test('which keeps the sheet as long as the last of its markers needs', () => {
    const [early, late] = [makeSlotEntry('sheet', 0), makeSlotEntry('sheet', 1)];
    const marker = { ...late.marker, expirySeconds: 2_000_007_200 } as SlotMarker;

    const [action] = build({ ...late, marker }, early);

    expect(applyAction(action)).toMatchObject({ ttl: { N: '2000007200' } });
  });

  test("which stays within DynamoDB's limits even for all slots of a sheet", () => {
    const slots = Array.from({ length: slotsPerSheet }, (_, slot) => makeSlotEntry('sheet', slot));

    const { ConditionExpression = '', UpdateExpression = '' } = build(...slots)[0]?.Update ?? {};

    expect(ConditionExpression.length).toBeLessThanOrEqual(4_096);
    expect(UpdateExpression.length).toBeLessThanOrEqual(4_096);
    const operators = ConditionExpression.match(/attribute_not_exists|AND|OR|<=/g) ?? [];
    expect(operators.length).toBeLessThanOrEqual(300);
  });
});

describe('a duplicate on a sheet settles itself alone', () => {
  const entries = () => [0, 1, 2].map((slot) => makeSlotEntry('sheet', slot));

  test('and its neighbours go again', async () => {
    const refusal = cancelled(refusedBy(sheet({ a1: hash, a7: hash })), none, none);

    const { outcomes, sent } = await commit(entries(), refusal);

    expect(outcomes).toEqual([committed, duplicateOf('a'), committed]);
    expect(sheetsOf(sent)).toEqual([['sheet: a0 a1 a2'], ['sheet: a0 a2']]);
  });

  test.each([
    ['its payload is another', { B: Buffer.from([1, 2, 3, 4]) }, 'AQIDBA=='],
    ['the slot holds something else than bytes', { S: 'x' }, ''],
  ])('even if %s', async (_, a0, payloadHash) => {
    const refusal = cancelled(refusedBy(sheet({ a0 })), none, none);

    const { outcomes } = await commit(entries(), refusal);

    expect(outcomes).toMatchObject([{ kind: 'duplicate', payloadHash }, committed, committed]);
  });

  test('and a repeat of it in the batch is compared by itself', async () => {
    const own = makeSlotEntry('sheet', 0);
    const changed = { ...own, payloadHash: Buffer.from('other').toString('base64') };
    const refusal = cancelled(refusedBy(sheet({ a0: hash })), none, none);

    const { outcomes, sent } = await commit([changed, own], refusal);

    expect(outcomes).toMatchObject([{ payloadHash: 'aGFzaCA=' }, duplicateOf('a')]);
    expect(sent).toHaveLength(1);
  });
});

test('a sheet that already lives longer keeps its expiry, and the entries go again', async () => {
  const later = { N: '2000003600' };

  const { outcomes, sent } = await commit(
    [makeSlotEntry('sheet', 0), makeSlotEntry('sheet', 1)],
    cancelled(refusedBy(sheet({ a0: hash }, later)), none, none),
  );

  expect(outcomes).toEqual([{ ...duplicateOf('a'), expirySeconds: 2_000_003_600 }, committed]);
  expect(applyAction(sent[1]?.TransactItems?.[0], sheet({}, later))).toEqual(
    sheet({ a1: hash }, later),
  );
});

test.each([
  ['{"S":"soon"}', { S: 'soon' }],
  ['{"N":"9007199254740993"}', { N: '9007199254740993' }],
])('a sheet with the ttl %s fails its entries and says so', async (got, broken) => {
  const entries = [makeSlotEntry('sheet', 0), makeSlotEntry('other', 0)];
  const refusal = cancelled(refusedBy(sheet({}, broken)), none, none, none);

  const { outcomes } = await commit(entries, refusal);

  expect(outcomes).toEqual([
    new CommitRejectedError(
      `expected ttl of the sheet {"PK":{"S":"sheet"},"SK":{"S":"ORDER"}} to be epoch seconds; got ${got}`,
    ),
    committed,
  ]);
});

test('markers and sheets that did not come with the refusal are read in one request', async () => {
  const entries = [makeSlotEntry('sheet', 0), makeSlotEntry('sheet', 1), makeEntry('1')];
  const marker = { PK: { S: 'ORDER#1' }, SK: { S: 'ORDER' }, ttl, validation: { S: 'hash' } };
  const read: Answer = async () => ({ Responses: { orders: [marker, sheet({ a1: hash })] } });

  const { outcomes, sent } = await commit(
    entries,
    cancelled({ ...conditionFailed }, { ...conditionFailed }, none, none),
    read,
  );

  expect(outcomes).toEqual([
    committed,
    duplicateOf('a'),
    { kind: 'duplicate', payloadHash: 'hash', expirySeconds: 2_000_000_000 },
  ]);
  expect(sent[1]).toEqual({
    RequestItems: {
      orders: { Keys: [key, { PK: { S: 'ORDER#1' }, SK: { S: 'ORDER' } }], ConsistentRead: true },
    },
  });
});

test('a read of what was in the way ends in time, and the transaction goes again', async () => {
  vi.useFakeTimers({ now: 0 });
  const entry = { ...makeSlotEntry('sheet', 0), deadlineMs: 10_000 };

  const committing = commit([entry], cancelled({ ...conditionFailed }, none, none), hanging);
  await vi.runAllTimersAsync();
  vi.useRealTimers();

  expect((await committing).outcomes).toEqual([committed]);
});

describe('a marker that is in the way and cannot be read holds up its own entry only', () => {
  const unread: CancellationReason = { ...conditionFailed };
  const [first, second] = [makeEntry('1', 'a'), makeEntry('2', 'b')];
  // The positions are two markers, then the items of each account.
  const refusal = cancelled(unread, none, none, none, none, none);

  test.each<[string, Answer]>([
    ['the read finds nothing', async () => ({ Responses: {} })],
    ['the read is throttled', failing('ThrottlingException', 400)],
  ])('%s', async (_, read) => {
    const { outcomes, sentMarkers } = await commit([first, second], refusal, read);

    expect(outcomes).toEqual([committed, committed]);
    expect(sentMarkers).toEqual([['ORDER#1', 'ORDER#2'], [], ['ORDER#2'], ['ORDER#1']]);
  });

  test('a role that may not read fails the entry, with the reason', async () => {
    const denied = failing('AccessDeniedException', 400);

    const { outcomes } = await commit([first, second], refusal, denied);

    expect(outcomes).toEqual([
      new CommitRejectedError('AccessDeniedException: cannot read the marker: no'),
      committed,
    ]);
  });
});
