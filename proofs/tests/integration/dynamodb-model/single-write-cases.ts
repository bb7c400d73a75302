import { expect } from 'vitest';
import type { Item } from '../../../../tests/helpers/items.ts';
import type { Case } from './cases.ts';

const nowMs = 1_800_000_000_123;
const laterMs = nowMs + 1;
const earlierMs = nowMs - 1;
const alive = { expiration: 1_800_000_001 };
const ofBytes = (bytes: number) => ({ text: 'x'.repeat(bytes) });

const timedOut = { ...alive, in_progress_expiration: earlierMs };

/** A call that begins despite these records. */
const records: [name: string, record: Item, expected: unknown][] = [
  [
    'an unexpired record fails the condition and is returned',
    { status: 'COMPLETED', ...alive },
    ['refused', 'COMPLETED'],
  ],
  [
    'a record that expired within this second is replaced',
    { status: 'COMPLETED', expiration: 1_800_000_000 },
    1,
  ],
  ['a call that timed out is replaced', { status: 'INPROGRESS', ...timedOut }, 1],
  [
    'a call in progress fails the condition',
    { status: 'INPROGRESS', ...alive, in_progress_expiration: laterMs },
    ['refused', 'INPROGRESS'],
  ],
  [
    'a different string is not equal',
    { status: 'inprogress', ...timedOut },
    ['refused', 'inprogress'],
  ],
  ['a number does not equal a string', { status: 1, ...timedOut }, ['refused', 1]],
];
const beginCases = records.map(
  ([name, record, expected]): Case => ({
    name,
    act: async ({ put, begin }) => {
      await put(record);
      return begin(nowMs);
    },
    expected,
  }),
);

/** DynamoDB's behaviour for writes of one item, outside of transactions. */
export const singleWriteCases: Case[] = [
  {
    name: 'a call without a record begins',
    act: async ({ begin, read, recordKey }) => [await begin(nowMs), await read(recordKey)],
    expected: [1, expect.objectContaining({ status: 'begun again' })],
  },
  ...beginCases,
  {
    name: 'an update sets attributes and keeps the others',
    act: async ({ put, update, read, recordKey }) => {
      await put({ status: 'INPROGRESS', in_progress_expiration: laterMs });
      const names = { '#expiry': 'expiration', '#status': 'status' };
      await update(
        'SET #expiry = :expiry, #status = :status',
        { ':expiry': 5, ':status': 'COMPLETED' },
        { ExpressionAttributeNames: names },
      );
      const { PK, SK, ...attributes } = (await read(recordKey)) ?? {};
      return attributes;
    },
    expected: { status: 'COMPLETED', in_progress_expiration: laterMs, expiration: 5 },
  },
  {
    name: 'an update creates a missing item',
    act: async ({ update, read, recordKey }) => {
      await update('ADD clicks :one', { ':one': 1 });
      return (await read(recordKey))?.clicks;
    },
    expected: 1,
  },
  {
    name: 'an update whose condition fails does not create the item',
    act: async ({ update, read, recordKey }) => {
      const ConditionExpression = 'attribute_exists(PK)';
      const result = await update('ADD clicks :one', { ':one': 1 }, { ConditionExpression });
      return [result, await read(recordKey)];
    },
    expected: [['refused', undefined], undefined],
  },
  {
    name: 'an ADD to a string is rejected',
    act: async ({ put, update }) => {
      await put({ clicks: 'many' });
      return update('ADD clicks :one', { ':one': 1 });
    },
    expected: 'ValidationException',
  },
  {
    name: 'a write takes a unit per started KB of the larger item, before or after it',
    act: async ({ put, update }) => [
      await put(ofBytes(900)),
      await put(ofBytes(1_100)),
      await update('SET more = :more', { ':more': 'x'.repeat(1_000) }),
      await put({}),
    ],
    expected: [1, 2, 3, 3],
  },
  {
    name: "a delete takes the item's units, or one for a missing item",
    act: async ({ put, drop }) => {
      await put(ofBytes(1_100));
      return [await drop(), await drop()];
    },
    expected: [2, 1],
  },
];
