import type { Update } from '@aws-sdk/client-dynamodb';
import { farFuture } from './actions.ts';
import type { Case } from './cases.ts';

const slots = Array.from({ length: 128 }, (_, index) => {
  return `${String.fromCharCode('a'.charCodeAt(0) + index / 10)}${index % 10}`;
});
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const one = { ':one': { N: '1' } };

const condition = (ConditionExpression: string) => ({ ConditionExpression });
/** Each clause is one operator, and so is each OR. */
const clauses = (count: number) => Array(count).fill('attribute_not_exists(a)').join(' OR ');
const ofBytes = (count: number) => 'attribute_not_exists(PK)'.padEnd(count, ' ');

/** An engine that behaves differently. */
const differs = (does: unknown, because: string) => ({ does, because });
const readsLate = {
  dynoxide: differs(
    ['ValidationError'],
    'it parses an expression only at its turn in the transaction',
  ),
};
const hasNoKinds = (does: unknown) => ({
  'dynamodb-local': differs(
    does,
    'it does not distinguish writes from reads, and a new item costs nothing',
  ),
});

/** Updates of a new sheet that add one to `a`, but for these changes. */
const updates: [name: string, Partial<Update>, expected: unknown, Case['disagreements']?][] = [
  [
    'AND binds more tightly than OR',
    condition('attribute_not_exists(a) OR attribute_exists(a) AND attribute_exists(b)'),
    'committed',
  ],
  [
    'parentheses bind more tightly than AND',
    condition('(attribute_not_exists(a) OR attribute_exists(a)) AND attribute_exists(b)'),
    ['ConditionalCheckFailed'],
  ],
  ['299 operators are allowed', condition(clauses(150)), 'committed'],
  [
    '301 operators are rejected',
    condition(clauses(151)),
    'ValidationException',
    { dynoxide: differs('committed', 'it does not count operators') },
  ],
  ['an expression of 4,096 bytes is allowed', condition(ofBytes(4_096)), 'committed'],
  [
    'an expression of 4,097 bytes is rejected',
    condition(ofBytes(4_097)),
    'ValidationException',
    readsLate,
  ],
  [
    'an attribute that is set twice is rejected',
    { UpdateExpression: 'SET a = :one, a = :one' },
    'ValidationException',
    { dynoxide: differs('committed', 'it sets the attribute twice') },
  ],
  [
    'an unused value is rejected',
    { ExpressionAttributeValues: { ...one, ':two': { N: '2' } } },
    'ValidationException',
    readsLate,
  ],
  [
    'an undefined value is rejected',
    { ExpressionAttributeValues: undefined },
    'ValidationException',
    readsLate,
  ],
  [
    'an unused name is rejected',
    { ExpressionAttributeNames: { '#ttl': 'ttl' } },
    'ValidationException',
    readsLate,
  ],
  [
    'an undefined name is rejected',
    condition('attribute_exists(#ttl)'),
    'ValidationException',
    readsLate,
  ],
  [
    'a reserved word is rejected as a name',
    condition('attribute_not_exists(ttl)'),
    'ValidationException',
    readsLate,
  ],
];
const updateCases = updates.map(
  ([name, changes, expected, disagreements]): Case => ({
    name,
    act: ({ transact, updateSheet }) => transact([updateSheet(changes)]),
    expected,
    disagreements,
  }),
);

/** DynamoDB's behaviour for sheets: updates of many attributes, read back in batches. */
export const sheetCases: Case[] = [
  {
    name: 'slots and a ttl are set on a new sheet',
    act: async ({ transact, setSlots, readSheet, sheetKey }) => {
      const result = await transact([setSlots(['a0', 'm7'], farFuture)]);
      const { PK, SK, ...sheet } = (await readSheet()) ?? {};
      return [result, [PK, SK].join() === Object.values(sheetKey).join(), sheet];
    },
    expected: ['committed', true, { a0: bytes('a0'), m7: bytes('m7'), ttl: farFuture }],
  },
  {
    name: 'slots are added to an existing sheet',
    act: async ({ transact, setSlots, readSheet }) => {
      await transact([setSlots(['a0'], farFuture)]);
      const result = await transact([setSlots(['a1'], farFuture)]);
      const { a0, a1 } = (await readSheet()) ?? {};
      return [result, a0, a1];
    },
    expected: ['committed', bytes('a0'), bytes('a1')],
  },
  {
    name: 'a slot that is already set cancels the update, which returns the whole sheet',
    act: async ({ transact, readRefused, setSlots, readSheet }) => {
      const first = await transact([setSlots(slots, farFuture)]);
      const [sheet = {}] = await readRefused([setSlots(['a0'], farFuture + 1)]);
      return [first, Object.keys(sheet).length, sheet.m7, (await readSheet())?.ttl];
    },
    expected: ['committed', 131, bytes('m7'), farFuture],
  },
  {
    name: 'a ttl can move forward, and not back',
    act: async ({ transact, setSlots, readSheet }) => {
      await transact([setSlots(['a0'], farFuture - 1)]);
      const forward = await transact([setSlots(['a1'], farFuture)]);
      const back = await transact([setSlots(['a2'], farFuture - 1)]);
      return [forward, back, (await readSheet())?.ttl];
    },
    expected: ['committed', [['ConditionalCheckFailed', farFuture]], farFuture],
  },
  {
    name: 'a comparison of different types is false',
    act: async ({ store, sheetKey, transact, setSlots }) => {
      await store({ ...sheetKey, ttl: '1' });
      return transact([setSlots(['a1'], farFuture)]);
    },
    expected: [['ConditionalCheckFailed', '1']],
  },
  ...updateCases,
  {
    name: 'an update that makes an item larger than 400 KB is a validation error at its position',
    act: async ({ store, sheetKey, transact, updateSheet }) => {
      await store({ ...sheetKey, text: 'x'.repeat(300 * 1024) });
      const more = { ':more': { S: 'x'.repeat(110 * 1024) } };
      const update = { UpdateExpression: 'SET more = :more', ExpressionAttributeValues: more };
      return transact([updateSheet(update)]);
    },
    expected: ['ValidationError'],
  },
  {
    name: 'a transaction costs two units for each item of up to 1 KB',
    act: async ({ putLink, consume, setSlots, putMarker, addClicks }) => {
      await putLink();
      return consume([setSlots(slots, farFuture), putMarker('a'), addClicks(1)]);
    },
    expected: [{ CapacityUnits: 6, WriteCapacityUnits: 6 }],
    disagreements: hasNoKinds([{ CapacityUnits: 2 }]),
  },
  {
    name: 'the cost is per started KB of the larger item, before or after the update',
    act: async ({ store, sheetKey, consume, updateSheet, putMarker, markerKey }) => {
      await store({ ...sheetKey, text: 'x'.repeat(2_000) });
      await store({ ...markerKey('a'), text: 'x'.repeat(3_000) });
      const { Put } = putMarker('a');
      const shrink = { Put: { ...Put, ConditionExpression: undefined } };
      return consume([updateSheet(), shrink]);
    },
    expected: [{ CapacityUnits: 10, WriteCapacityUnits: 10 }],
    disagreements: hasNoKinds([{ CapacityUnits: 10 }]),
  },
  {
    name: 'a repeated token costs the same as reading the items',
    act: async ({ store, sheetKey, consume, updateSheet }) => {
      await store({ ...sheetKey, text: 'x'.repeat(3_000) });
      const update = updateSheet();
      return [await consume([update], 'token'), await consume([update], 'token')];
    },
    expected: [
      [{ CapacityUnits: 6, WriteCapacityUnits: 6 }],
      [{ CapacityUnits: 2, ReadCapacityUnits: 2 }],
    ],
    disagreements: hasNoKinds([[{ CapacityUnits: 6 }], [{ CapacityUnits: 2 }]]),
  },
  {
    name: 'a batch read returns the items that exist',
    act: async ({ transact, setSlots, putMarker, readMany, sheetKey, markerKey }) => {
      await transact([setSlots(['a0'], farFuture), putMarker('a')]);
      return readMany([sheetKey, markerKey('a'), markerKey('b')]);
    },
    expected: [['#a', '#sheet'], {}],
  },
  {
    name: 'a batch reads up to 100 different items',
    act: async ({ readMany, markerKey, sheetKey }) => {
      const keys = Array.from({ length: 101 }, (_, index) => markerKey(`${index}`));
      const results = [await readMany(keys.slice(1)), await readMany(keys)];
      return [...results, await readMany([sheetKey, sheetKey])];
    },
    expected: [[[], {}], 'ValidationException', 'ValidationException'],
  },
  {
    name: 'a transaction of reads returns its items in order',
    act: async ({ transact, setSlots, readAtOnce, sheetKey, markerKey }) => {
      await transact([setSlots(['a0'], farFuture)]);
      return readAtOnce([markerKey('a'), sheetKey]);
    },
    expected: [undefined, String(farFuture)],
  },
];
