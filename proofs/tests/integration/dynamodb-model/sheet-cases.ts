import { farFuture } from './actions.ts';
import type { Case } from './cases.ts';

const slots = Array.from({ length: 128 }, (_, index) => {
  return `${String.fromCharCode('a'.charCodeAt(0) + index / 10)}${index % 10}`;
});
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const one = { ':one': { N: '1' } };
const ttl = { '#ttl': 'ttl' };
const existingSheet = [['ConditionalCheckFailed', farFuture]];

/** Each clause is one operator, and so is each AND. */
const clauses = (count: number) => Array(count).fill('attribute_exists(PK)').join(' AND ');
const ofBytes = (count: number) => 'attribute_exists(PK)'.padEnd(count, ' ');

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
    name: 'all 128 slots fit into one update',
    act: async ({ transact, setSlots, readSheet }) => {
      const result = await transact([setSlots(slots, farFuture)]);
      return [result, Object.keys((await readSheet()) ?? {}).length];
    },
    expected: ['committed', 131],
  },
  {
    name: 'a slot that is already set cancels the update, which returns the sheet',
    act: async ({ transact, setSlots, readSheet }) => {
      await transact([setSlots(['a0', 'a1'], farFuture)]);
      const result = await transact([setSlots(['a1', 'a2'], farFuture)]);
      return [result, Object.keys((await readSheet()) ?? {}).toSorted()];
    },
    expected: [existingSheet, ['PK', 'SK', 'a0', 'a1', 'ttl']],
  },
  {
    name: 'a failed condition returns the whole sheet',
    act: async ({ transact, readRefused, setSlots }) => {
      await transact([setSlots(slots, farFuture)]);
      const [sheet = {}] = await readRefused([setSlots(['a0'], farFuture)]);
      return [Object.keys(sheet).length, sheet.m7];
    },
    expected: [131, bytes('m7')],
  },
  {
    name: 'a ttl cannot move back',
    act: async ({ transact, setSlots }) => {
      await transact([setSlots(['a0'], farFuture)]);
      return transact([setSlots(['a1'], farFuture - 1)]);
    },
    expected: existingSheet,
  },
  {
    name: 'a ttl can move forward',
    act: async ({ transact, setSlots, readSheet }) => {
      await transact([setSlots(['a0'], farFuture)]);
      return [await transact([setSlots(['a1'], farFuture + 1)]), (await readSheet())?.ttl];
    },
    expected: ['committed', farFuture + 1],
  },
  {
    name: 'a comparison of different types is false',
    act: async ({ store, sheetKey, transact, setSlots }) => {
      await store({ ...sheetKey, ttl: '1' });
      return transact([setSlots(['a1'], farFuture)]);
    },
    expected: [['ConditionalCheckFailed', '1']],
  },
  {
    name: 'AND binds more tightly than OR',
    act: ({ transact, updateSheet }) => {
      const condition = 'attribute_not_exists(a) OR attribute_exists(a) AND attribute_exists(b)';
      const update = { ConditionExpression: condition, ExpressionAttributeValues: one };
      return transact([updateSheet(update)]);
    },
    expected: 'committed',
  },
  {
    name: 'parentheses bind more tightly than AND',
    act: ({ transact, updateSheet }) => {
      const condition = '(attribute_not_exists(a) OR attribute_exists(a)) AND attribute_exists(b)';
      const update = { ConditionExpression: condition, ExpressionAttributeValues: one };
      return transact([updateSheet(update)]);
    },
    expected: ['ConditionalCheckFailed'],
  },
  {
    name: '299 operators are allowed',
    act: async ({ store, sheetKey, transact, updateSheet }) => {
      await store(sheetKey);
      const update = { ConditionExpression: clauses(150), ExpressionAttributeValues: one };
      return transact([updateSheet(update)]);
    },
    expected: 'committed',
  },
  {
    name: '301 operators are rejected',
    act: async ({ store, sheetKey, transact, updateSheet }) => {
      await store(sheetKey);
      const update = { ConditionExpression: clauses(151), ExpressionAttributeValues: one };
      return transact([updateSheet(update)]);
    },
    expected: 'ValidationException',
    disagreements: { dynoxide: differs('committed', 'it does not count operators') },
  },
  {
    name: 'an expression of 4,096 bytes is allowed',
    act: async ({ store, sheetKey, transact, updateSheet }) => {
      await store(sheetKey);
      const update = { ConditionExpression: ofBytes(4_096), ExpressionAttributeValues: one };
      return transact([updateSheet(update)]);
    },
    expected: 'committed',
  },
  {
    name: 'an expression of 4,097 bytes is rejected',
    act: async ({ store, sheetKey, transact, updateSheet }) => {
      await store(sheetKey);
      const update = { ConditionExpression: ofBytes(4_097), ExpressionAttributeValues: one };
      return transact([updateSheet(update)]);
    },
    expected: 'ValidationException',
    disagreements: readsLate,
  },
  {
    name: 'an attribute that is set twice is rejected',
    act: ({ transact, updateSheet }) => {
      const update = { UpdateExpression: 'SET a = :one, a = :one', ExpressionAttributeValues: one };
      return transact([updateSheet(update)]);
    },
    expected: 'ValidationException',
    disagreements: { dynoxide: differs('committed', 'it sets the attribute twice') },
  },
  {
    name: 'an unused value is rejected',
    act: ({ transact, updateSheet }) =>
      transact([updateSheet({ ExpressionAttributeValues: { ...one, ':two': { N: '2' } } })]),
    expected: 'ValidationException',
    disagreements: readsLate,
  },
  {
    name: 'an undefined value is rejected',
    act: ({ transact, updateSheet }) => transact([updateSheet({})]),
    expected: 'ValidationException',
    disagreements: readsLate,
  },
  {
    name: 'an unused name is rejected',
    act: ({ transact, updateSheet }) =>
      transact([updateSheet({ ExpressionAttributeValues: one, ExpressionAttributeNames: ttl })]),
    expected: 'ValidationException',
    disagreements: readsLate,
  },
  {
    name: 'an undefined name is rejected',
    act: ({ transact, updateSheet }) =>
      transact([
        updateSheet({
          ConditionExpression: 'attribute_exists(#ttl)',
          ExpressionAttributeValues: one,
        }),
      ]),
    expected: 'ValidationException',
    disagreements: readsLate,
  },
  {
    name: 'a reserved word is rejected as a name',
    act: ({ transact, updateSheet }) =>
      transact([
        updateSheet({
          ConditionExpression: 'attribute_not_exists(ttl)',
          ExpressionAttributeValues: one,
        }),
      ]),
    expected: 'ValidationException',
    disagreements: readsLate,
  },
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
      return consume([updateSheet({ ExpressionAttributeValues: one }), shrink]);
    },
    expected: [{ CapacityUnits: 10, WriteCapacityUnits: 10 }],
    disagreements: hasNoKinds([{ CapacityUnits: 10 }]),
  },
  {
    name: 'a repeated token costs the same as reading the items',
    act: async ({ store, sheetKey, consume, updateSheet }) => {
      await store({ ...sheetKey, text: 'x'.repeat(3_000) });
      const update = updateSheet({ ExpressionAttributeValues: one });
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
    name: 'a batch can read 100 items',
    act: async ({ readMany, markerKey }) =>
      readMany(Array.from({ length: 100 }, (_, index) => markerKey(`${index}`))),
    expected: [[], {}],
  },
  {
    name: 'a batch of 101 reads is rejected',
    act: ({ readMany, markerKey }) =>
      readMany(Array.from({ length: 101 }, (_, index) => markerKey(`${index}`))),
    expected: 'ValidationException',
  },
  {
    name: 'a batch that reads an item twice is rejected',
    act: ({ readMany, sheetKey }) => readMany([sheetKey, sheetKey]),
    expected: 'ValidationException',
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
