import { expect, test } from 'vitest';
import { type Limited, nameLimit } from '../../../capacity/first-limit.ts';
import { isHeld } from '../../../capacity/run-cell.ts';
import { readStage } from '../../../capacity/stage.ts';

const flow = { sent: 6_000, counted: 6_000, seconds: 60, waiting: 0 };

test.each([
  [true, 'with batches in progress', { counted: 5_400 }],
  [false, 'of which more than a tenth is not counted', { counted: 5_399 }],
  [true, 'with a backlog of one second', { waiting: 100 }],
  [false, 'with a longer backlog', { waiting: 101 }],
  [true, 'of few clicks with a backlog of ten', { sent: 60, counted: 60, waiting: 10 }],
  [true, 'whose backlog was counted after an outage', { untilEmpty: true, counted: 4_000 }],
  [false, 'whose backlog stays after an outage', { untilEmpty: true, waiting: 5_000 }],
])('prod sustains (%s) a traffic %s', (holds, _, changes) => {
  expect(isHeld({ ...flow, ...changes })).toBe(holds);
});

const settings = {
  ...readStage({ clickQueues: 2 }),
  ...{ maximumConcurrency: 5, visitorsPerSecond: 2_000 },
};
const calm: Limited = {
  holds: true,
  ...{
    conflictShare: 0,
    throttledShare: 0,
    inFlightShare: 0.1,
    concurrency: 1,
    writeUnitsPerSecond: 4_000,
  },
};

test.each<[part: string, perSecond: number, changes: Partial<Limited>]>([
  ["the API's limit for visitors (50%)", 1_000, { conflictShare: 0.9, throttledShare: 0.9 }],
  ["the API's limit for visitors (150%)", 3_000, {}],
  ['messages in flight (60%)', 1_000, { inFlightShare: 0.6 }],
  ['the concurrency of the aggregator (80%)', 1_000, { concurrency: 8 }],
  ["the table's quota of write units (75%)", 1_000, { writeUnitsPerSecond: 30_000 }],
])('the most used part is named if prod sustains the traffic: %s', (part, perSecond, changes) => {
  expect(nameLimit({ ...calm, ...changes }, perSecond, settings)).toBe(part);
});

test.each<[part: string, changes: Partial<Limited>]>([
  ['a partition of the table', { throttledShare: 0.06, conflictShare: 0.5, inFlightShare: 1 }],
  ['conflicts', { throttledShare: 0.05, conflictShare: 0.26, inFlightShare: 1 }],
  ['messages in flight', { conflictShare: 0.25, inFlightShare: 0.96 }],
  ['the concurrency of the aggregator', { inFlightShare: 0.95 }],
])('the cause of a growing backlog is named: %s', (part, changes) => {
  expect(nameLimit({ ...calm, holds: false, ...changes }, 1_000, settings)).toBe(part);
});
