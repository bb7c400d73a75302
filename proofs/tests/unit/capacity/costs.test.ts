import { expect, test } from 'vitest';
import {
  dollarsAtRest,
  dollarsPerMillion,
  dollarsPerMonth,
  type Part,
  type Usage,
} from '../../../capacity/costs.ts';
import type { StageCosts } from '../../../capacity/stage-costs.ts';

/** A million clicks in 1,000 s, in batches of 1,000. */
const busy: Usage = {
  clicks: 1_000_000,
  seconds: 1_000,
  invocations: 1_000,
  invocationSeconds: 200,
  memoryMb: 1_024,
  queueRequests: 110_000,
  writeUnits: 250_000,
  readUnits: 0,
  markerBytes: 8 * 2 ** 20,
  logBytes: 80_456,
};

/** Ten clicks in 100 s, each in its own batch. */
const quiet: Usage = {
  ...{ clicks: 10, seconds: 100, invocations: 10, invocationSeconds: 1, memoryMb: 512 },
  ...{ queueRequests: 40, writeUnits: 60, readUnits: 2, markerBytes: 0, logBytes: 0 },
};

const untraced = { memoryMb: 512, isTraced: false, systemLogBytes: 0 };

const stage: StageCosts = {
  law: { links: 3, hotShare: 0 },
  clicksVia: 'bus',
  resolver: { memoryMb: 512, isTraced: true, systemLogBytes: 68 },
  aggregator: { memoryMb: 1_024, isTraced: true, systemLogBytes: 0 },
  pusher: { memoryMb: 512, isTraced: true, systemLogBytes: 0 },
  accessLogBytes: 200,
  logRetentionDays: 73,
  // 48 hours more would be a month of 730 hours.
  markerTtlSeconds: 2_455_200,
  pointInTimeRecovery: true,
  pushBatchWindowSeconds: 1,
  customMetrics: 10,
  alarmMetrics: 20,
  anomalyAlarms: 1,
  dashboards: 1,
  keys: 1,
};

const toDollars = (parts: Part[]) =>
  Object.fromEntries(parts.map(({ name, dollarsPerMillion }) => [name, dollarsPerMillion]));

test.each<[Part['name'], number, string]>([
  ['API', 1, 'one request per click'],
  ['resolver', 0.332248057, '0.20 for requests; 15 ms of waiting, 1.4 ms of CPU at 29%'],
  ['reads', 0.00025, '20 environments read 3 links 33.3 times'],
  ['bus', 1, 'one event per click'],
  ['queue', 0.444, '1,110,000 requests'],
  ['aggregator', 0.00286668, '1,000 requests and 200 GB-s'],
  ['writes', 0.15625, '250,000 units'],
  ['marker storage', 0.003515625, '1/128 GB for a month, at 0.25 and 0.20'],
  // 268 bytes a click, 355 for each of 1,000 pushes, 80,456 of the aggregator: 2^28.
  ['logs', 0.1277, 'a quarter of a GB at 0.50; 15% of it for 2.4 months at 0.03'],
  // Of 1,000, 1 and 3 invocations a second: 50.95, 1 and 1.1 traces a second.
  ['traces', 0.26525, '53,050 traces'],
  ['metrics, alarms and dashboard', 0.003538813, '9.30 a month, of which 1/2,628'],
  // 3,000 requests, 2,000 of 20 ms and 1,000 of 500 ms; 3,000 units, 1,000 messages, 16.7 minutes.
  ['live page', 0.005579185, '0.0006 + 0.0036 + 0.000375 + 0.001 + 0.000004'],
])('%s costs $%d for a million clicks: %s', (name, expected) => {
  const dollars = toDollars(dollarsPerMillion(busy, stage));

  expect(dollars[name]).toBeCloseTo(expected, 8);
});

test('without the bus, a million clicks cost a dollar less, and every other part the same', () => {
  const viaQueue = dollarsPerMillion(busy, { ...stage, clicksVia: 'queue' });

  expect(toDollars(viaQueue)).toEqual({ ...toDollars(dollarsPerMillion(busy, stage)), bus: 0 });
});

test('an idle stage pays for its monitoring and for polling its queues', () => {
  // 2.00 for alarms, 0.30 for the anomaly, 3.00 for the dashboard, 1.00 for the key; 525,600 receives.
  const settings = { clickQueues: 2, maximumConcurrency: 2 };

  expect(dollarsAtRest(stage, settings)).toBeCloseTo(6.3 + 0.21024, 8);
});

test('a month has 730 hours of the measured traffic', () => {
  const parts: Part[] = [{ name: 'API', dollarsPerMillion: 10 }];

  expect(dollarsPerMonth(parts, busy)).toBeCloseTo(26_280, 8);
});

test('untraced functions have no costs for traces', () => {
  const quietStage = { ...stage, resolver: untraced, aggregator: untraced, pusher: untraced };

  const dollars = toDollars(dollarsPerMillion(busy, quietStage));

  expect(dollars.traces).toBe(0);
});

test('every invocation is traced, up to one a second', () => {
  const dollars = toDollars(dollarsPerMillion(quiet, { ...stage, law: { links: 1, hotShare: 0 } }));

  // Three functions, one trace a click in each.
  expect(dollars.traces).toBeCloseTo(15, 8);
});

test.each([{ clicks: 0 }, { seconds: 0 }, { clicks: Number.NaN }])(
  'the costs of a measurement with %j are an error',
  (nothing) => {
    expect(() => dollarsPerMillion({ ...busy, ...nothing }, stage)).toThrow(
      /expected clicks and seconds above 0; got/,
    );
  },
);
