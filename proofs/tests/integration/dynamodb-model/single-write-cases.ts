import { expect } from 'vitest';
import type { Case } from './cases.ts';

const nowMs = 1_800_000_000_123;
const laterMs = nowMs + 1;
const earlierMs = nowMs - 1;
const alive = { expiration: 1_800_000_001 };
const ofBytes = (bytes: number) => ({ text: 'x'.repeat(bytes) });

/** What DynamoDB does with writes of one item, outside of transactions. */
export const singleWriteCases: Case[] = [
  {
    name: 'a call begins where there is no record',
    act: async ({ begin, read, recordKey }) => [await begin(nowMs), await read(recordKey)],
    expected: [1, expect.objectContaining({ status: 'begun again' })],
  },
  {
    name: 'a record that is alive refuses, and comes with the refusal',
    act: async ({ put, begin }) => {
      await put({ status: 'COMPLETED', ...alive });
      return begin(nowMs);
    },
    expected: ['refused', 'COMPLETED'],
  },
  {
    name: 'without ALL_OLD a refusal comes without the record',
    act: async ({ put, begin }) => {
      await put({ status: 'COMPLETED', ...alive });
      return begin(nowMs, { ReturnValuesOnConditionCheckFailure: 'NONE' });
    },
    expected: ['refused', undefined],
  },
  {
    name: 'a record that expired within this second is replaced',
    act: async ({ put, begin }) => {
      await put({ status: 'COMPLETED', expiration: 1_800_000_000 });
      return begin(nowMs);
    },
    expected: 1,
  },
  {
    name: 'a call that took too long is replaced',
    act: async ({ put, begin }) => {
      await put({ status: 'INPROGRESS', ...alive, in_progress_expiration: earlierMs });
      return begin(nowMs);
    },
    expected: 1,
  },
  {
    name: 'a call that is under way refuses',
    act: async ({ put, begin }) => {
      await put({ status: 'INPROGRESS', ...alive, in_progress_expiration: laterMs });
      return begin(nowMs);
    },
    expected: ['refused', 'INPROGRESS'],
  },
  {
    name: 'a text that differs is not equal, nor is a number',
    act: async ({ put, begin }) => {
      const late = { ...alive, in_progress_expiration: earlierMs };
      const results: unknown[] = [];
      for (const status of ['inprogress', 1]) {
        await put({ status, ...late });
        results.push(await begin(nowMs));
      }
      return results;
    },
    expected: [
      ['refused', 'inprogress'],
      ['refused', 1],
    ],
  },
  {
    name: 'an update sets attributes, and leaves the others',
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
    name: 'an update makes an item that is not there',
    act: async ({ update, read, recordKey }) => {
      await update('ADD clicks :one', { ':one': 1 });
      return (await read(recordKey))?.clicks;
    },
    expected: 1,
  },
  {
    name: 'an update whose condition fails makes nothing',
    act: async ({ update, read, recordKey }) => {
      const ConditionExpression = 'attribute_exists(PK)';
      const result = await update('ADD clicks :one', { ':one': 1 }, { ConditionExpression });
      return [result, await read(recordKey)];
    },
    expected: [['refused', undefined], undefined],
  },
  {
    name: 'an update that adds to text is refused',
    act: async ({ put, update }) => {
      await put({ clicks: 'many' });
      return update('ADD clicks :one', { ':one': 1 });
    },
    expected: 'ValidationException',
  },
  {
    name: 'a write takes a unit for each started KB of the larger item, before and after',
    act: async ({ put, update }) => [
      await put(ofBytes(900)),
      await put(ofBytes(1_100)),
      await update('SET more = :more', { ':more': 'x'.repeat(1_000) }),
      await put({}),
    ],
    expected: [1, 2, 3, 3],
  },
  {
    name: 'a delete takes the units of what it deletes, and one where there is nothing',
    act: async ({ put, drop }) => {
      await put(ofBytes(1_100));
      return [await drop(), await drop()];
    },
    expected: [2, 1],
  },
];
