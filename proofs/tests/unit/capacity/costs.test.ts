import { expect, test } from 'vitest';
import { dollarsAtRest, dollarsPerMonth, priceUsage, type Usage } from '../../../capacity/costs.ts';
import type { StageCosts } from '../../../capacity/stage-costs.ts';

/** A million clicks in 1,000 s, in batches of 1,000. */
const busy: Usage = {
  law: { links: 3, hotShare: 0 },
  clicks: 1_000_000,
  seconds: 1_000,
  invocations: 1_000,
  invocationSeconds: 200,
  memoryMb: 1_024,
  queueRequests: 110_000,
  writeUnits: 250_000,
  markerBytes: 8 * 2 ** 20,
  logBytes: 68_080_456,
};

const stage: StageCosts = {
  clicksVia: 'bus',
  resolverMemoryMb: 512,
  pusherMemoryMb: 512,
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

test.each<[keyof ReturnType<typeof priceUsage>, number, string]>([
  ['API', 1, 'one request per click'],
  ['resolver', 0.332248057, '0.20 for requests; 15 ms of waiting, 1.4 ms of CPU at 29%'],
  ['reads', 0.00025, '20 environments read 3 links 33.3 times'],
  ['bus', 1, 'one event per click'],
  ['queue', 0.444, '1,110,000 requests'],
  ['aggregator', 0.00286668, '1,000 requests and 200 GB-s'],
  ['writes', 0.15625, '250,000 units'],
  ['marker storage', 0.003515625, '1/128 GB for a month, at 0.25 and 0.20'],
  // 200 bytes a click, 355 for each of 1,000 pushes, and the aggregator's: 2^28.
  ['logs', 0.1277, 'a quarter of a GB at 0.50; 15% of it for 2.4 months at 0.03'],
  ['metrics, alarms and dashboard', 0.003538813, '9.30 a month, of which 1/2,628'],
  // 3,000 requests, 2,000 of 20 ms and 1,000 of 500 ms; 3,000 units, 1,000 messages, 16.7 minutes.
  ['live page', 0.005579185, '0.0006 + 0.0036 + 0.000375 + 0.001 + 0.000004'],
])('%s costs $%d for a million clicks: %s', (name, expected) => {
  expect(priceUsage(busy, stage)[name]).toBeCloseTo(expected, 8);
});

test('without the bus, a million clicks cost a dollar less, and every other part the same', () => {
  const viaQueue = priceUsage(busy, { ...stage, clicksVia: 'queue' });

  expect(viaQueue).toEqual({ ...priceUsage(busy, stage), bus: 0 });
});

test('a month costs the sum of all parts, for 730 hours of the measured traffic', () => {
  // 3.075 for each of 2,628 times 1,000 s.
  expect(dollarsPerMonth(busy, stage)).toBeCloseTo(2_628 * 3.07594836, 2);
});

test('an idle stage pays for its monitoring and for polling its queues', () => {
  // 2.00 for alarms, 0.30 for the anomaly, 3.00 for the dashboard, 1.00 for the key; 525,600 receives.
  const settings = { clickQueues: 2, maximumConcurrency: 2 };

  expect(dollarsAtRest(stage, settings)).toBeCloseTo(6.3 + 0.21024, 8);
});

test.each([{ clicks: 0 }, { seconds: 0 }, { clicks: Number.NaN }])(
  'the costs of a measurement with %j are an error',
  (nothing) => {
    expect(() => priceUsage({ ...busy, ...nothing }, stage)).toThrow(
      /expected clicks and seconds above 0; got/,
    );
  },
);
