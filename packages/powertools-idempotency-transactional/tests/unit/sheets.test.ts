import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Entry, SlotMarker } from '../../src/entry.ts';
import { CommitRejectedError } from '../../src/errors.ts';
import { slotAttribute, slotsPerSheet, toSlotValue } from '../../src/sheets.ts';
import { buildTransaction } from '../../src/transaction.ts';
import { applyAction, makeEntry, makeSlotEntry } from '../helpers/entries.ts';
import {
  type Answer,
  cancelled,
  commit,
  committed,
  conditionFailed,
  duplicate,
  failing,
  none,
} from './scripted-dynamodb.ts';

const buildFirst = (...entries: Entry[]) => buildTransaction(entries, 0).items[0];
const key = { PK: { S: 'sheet' }, SK: { S: 'ORDER' } };
const ttl = { N: '2000000000' };
const later = { N: '2000003600' };
/** The first five bytes of "hash of …". */
const hash = { B: Buffer.from('hash ') };
const sheet = (slots: Record<string, AttributeValue>, expiry: AttributeValue = ttl) => ({
  ...key,
  ttl: expiry,
  ...slots,
});
const rejectedBy = (Item: Record<string, AttributeValue>): CancellationReason => ({
  ...conditionFailed,
  Item,
});
const duplicateOf = (account: string) => ({
  kind: 'duplicate',
  payloadHash: Buffer.from(`hash of ${account}`).toString('base64'),
  slotValue: hash.B,
  expirySeconds: 2_000_000_000,
});

const fillTwo = buildFirst(makeSlotEntry('sheet', 0), makeSlotEntry('sheet', 17));
const both = { a0: hash, b7: hash };

test.each<[string, ReturnType<typeof sheet> | undefined, unknown]>([
  ['creates it', undefined, sheet(both)],
  ['keeps the slots of others', sheet({ a1: hash }), sheet({ ...both, a1: hash })],
  ['is rejected if its first slot is taken', sheet({ a0: hash }), undefined],
  ['is rejected if its last slot is taken', sheet({ b7: hash }), undefined],
  ['moves the expiry forward', sheet({}, { N: '1999999999' }), sheet(both)],
  ['never moves the expiry back', sheet({}, { N: '2000000001' }), undefined],
])('entries of one sheet take one action, which %s', (_, stored, expected) => {
  expect(applyAction(fillTwo, stored)).toEqual(expected);
  expect(fillTwo?.Update?.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD');
});

test('a sheet is kept as long as the last of its markers needs', () => {
  const { marker, ...late } = makeSlotEntry('sheet', 1);
  const lateMarker = { ...marker, expirySeconds: 2_000_003_600 } as SlotMarker;

  const action = buildFirst({ ...late, marker: lateMarker }, makeSlotEntry('sheet', 0));

  expect(applyAction(action)).toMatchObject({ ttl: later });
});

// The model of DynamoDB rejects expressions beyond 4 KB or 300 operators, as DynamoDB does.
test('all slots of a sheet can be filled by one action', () => {
  const slots = Array.from({ length: slotsPerSheet }, (_, slot) => makeSlotEntry('sheet', slot));

  expect(Object.keys(applyAction(buildFirst(...slots)) ?? {})).toHaveLength(slotsPerSheet + 3);
});

const other = { ...duplicateOf('a'), slotValue: expect.anything() };
const bytes = { B: Buffer.from([1, 2, 3, 4, 5]) };
const longer = { B: Buffer.from([1, 2, 3, 4, 5, 6]) };
const unknownSlot = (got: string) => {
  const name = 'a0 of the sheet {"PK":{"S":"sheet"},"SK":{"S":"ORDER"}}';
  return new CommitRejectedError(
    `expected ${name} to be 5 bytes; ${got} Another version may have written it: deploy that version again.`,
  );
};
const broken = (got: string) => {
  const name = 'ttl of the sheet {"PK":{"S":"sheet"},"SK":{"S":"ORDER"}}';
  const expected = `expected ${name} to be epoch seconds; got ${got}`;
  return Array(2).fill(new CommitRejectedError(expected));
};

test.each<[string, ReturnType<typeof sheet>, unknown[], unknown]>([
  [
    'a taken slot',
    sheet({ a1: hash, a7: hash }),
    [committed, duplicateOf('a')],
    sheet({ a0: hash, a1: hash, a7: hash }),
  ],
  [
    'a slot of another payload',
    sheet({ a0: bytes }),
    [{ ...other, payloadHash: 'AQIDBAU=' }, committed],
    sheet({ a0: bytes, a1: hash }),
  ],
  [
    'a slot that another version wrote',
    sheet({ a0: longer }),
    [unknownSlot('got 6.'), committed],
    sheet({ a0: longer, a1: hash }),
  ],
  [
    'a slot of another type',
    sheet({ a0: { S: 'hash' } }),
    [unknownSlot('got another type.'), committed],
    sheet({ a0: { S: 'hash' }, a1: hash }),
  ],
  [
    'a taken slot of a sheet that lives longer already',
    sheet({ a0: hash }, later),
    [{ ...duplicateOf('a'), expirySeconds: 2_000_003_600 }, committed],
    sheet({ a0: hash, a1: hash }, later),
  ],
  ['no reason any more', sheet({}), [committed, committed], sheet({ a0: hash, a1: hash })],
  ['a ttl that is text', sheet({}, { S: 'soon' }), broken('{"S":"soon"}'), undefined],
])(
  '%s settles its own entries, and their neighbours go again',
  async (_, stored, expected, left) => {
    const entries = [
      makeSlotEntry('sheet', 0),
      makeSlotEntry('sheet', 1),
      makeSlotEntry('other', 0),
    ];

    const { outcomes, sent } = await commit(
      entries,
      cancelled(rejectedBy(stored), none, none, none),
    );

    expect(outcomes).toEqual([...expected, committed]);
    const [again] =
      sent.at(-1)?.TransactItems?.filter(({ Update }) => Update?.Key?.PK?.S === 'sheet') ?? [];
    expect(again && applyAction(again, stored)).toEqual(left);
  },
);

test('a repeat of a duplicate in the batch is compared by itself', async () => {
  const own = makeSlotEntry('sheet', 0);
  const changed = { ...own, payloadHash: Buffer.from('other').toString('base64') };
  const rejection = cancelled(rejectedBy(sheet({ a0: hash })), none, none);

  const { outcomes, sent } = await commit([changed, own], rejection);

  expect(outcomes).toMatchObject([{ payloadHash: 'aGFzaCA=' }, duplicateOf('a')]);
  expect(sent).toHaveLength(1);
});

test('markers and sheets that did not come with the rejection are read in one request', async () => {
  const entries = [makeSlotEntry('sheet', 0), makeSlotEntry('sheet', 1), makeEntry('1')];
  const markerKey = { PK: { S: 'ORDER#1' }, SK: { S: 'ORDER' } };
  const marker = { ...markerKey, ttl, validation: { S: 'hash' } };
  const read: Answer = async () => ({ Responses: { orders: [marker, sheet({ a1: hash })] } });

  const { outcomes, sent } = await commit(
    entries,
    cancelled(conditionFailed, conditionFailed, none, none),
    read,
  );

  expect(outcomes).toEqual([committed, duplicateOf('a'), duplicate]);
  expect(sent[1]).toEqual({
    RequestItems: { orders: { Keys: [key, markerKey], ConsistentRead: true } },
  });
});

test.each<[string, Answer, unknown, string[]]>([
  ['finds nothing', async () => ({ Responses: {} }), committed, ['1 2', '', '2', '1']],
  ['is throttled', failing('ThrottlingException', 400), committed, ['1 2', '', '2', '1']],
  [
    'is denied',
    failing('AccessDeniedException', 400),
    new CommitRejectedError('AccessDeniedException: cannot read the marker: no'),
    ['1 2', '', '2'],
  ],
])(
  'a marker that is in the way holds up its own entry only if its read %s',
  async (_, read, first, requests) => {
    const entries = [makeEntry('1', 'a'), makeEntry('2', 'b')];
    // The positions are two markers, then the items of each account.
    const rejection = cancelled(conditionFailed, none, none, none, none, none);

    const { outcomes, batches } = await commit(entries, rejection, read);

    expect(outcomes).toEqual([first, committed]);
    expect(batches).toEqual(requests);
  },
);

// Stored sheets keep these names, so they must never change. No reserved word is a letter and a digit.
test('each of 128 slots has an attribute of its own, a letter and a digit', () => {
  const names = Array.from({ length: slotsPerSheet }, (_, slot) => slotAttribute(slot));

  expect(new Set(names).size).toBe(128);
  expect([0, 9, 10, 127].map((slot) => names[slot])).toEqual(['a0', 'a9', 'b0', 'm7']);
});

test("a slot holds the first five bytes of the payload's hash", () => {
  const hash = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex').toString('base64');

  expect([...toSlotValue(hash)]).toEqual([0, 1, 2, 3, 4]);
});
