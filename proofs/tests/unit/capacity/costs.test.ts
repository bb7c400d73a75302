import { expect, test } from 'vitest';
import { dollarsAtRest, dollarsPerMonth, priceUsage, type Usage } from '../../../capacity/costs.ts';
import { readStage } from '../../../capacity/stage.ts';

/** A million clicks in 1,000 s, in batches of 1,000. */
const busy: Usage = {
  law: { links: 3, hotShare: 0 },
  clicks: 1_000_000,
  seconds: 1_000,
  invocations: 1_000,
  invocationSeconds: 200,
  queueRequests: 110_000,
  writeUnits: 250_000,
  links: 62_500,
  logBytes: 125_435_456,
};

const stage = {
  ...{ ...readStage(), provisionedUnits: { reads: 100, writes: 500 } },
  ...{ memoryMb: 1_024, resolverMemoryMb: 512, logRetentionDays: 73, pushBatchWindowMs: 1_000 },
};

test.each<[keyof ReturnType<typeof priceUsage>, number, string]>([
  // 2,628 million a month.
  ['API', 0.911415525, '300 of 2,628 at 1.00, the others at 0.90'],
  ['data transfer', 0.062864274, '750 bytes per click at 0.09 per GB'],
  ['resolver', 0.313820882, '0.20 for requests; 15 ms of waiting, 0.6 ms of CPU at 29%'],
  ['reads', 0.000225, '18 environments read 3 links 33.3 times'],
  ['bus', 1, 'one event per click'],
  ['queue', 0.444, '1,110,000 requests'],
  ['aggregator', 0.00286668, '1,000 requests and 200 GB-s'],
  ['writes', 0.15625, '250,000 units'],
  // 200 bytes a click, and the aggregator's: 2^28.
  ['logs', 0.1277, 'a quarter of a GB at 0.50; 15% of it for 2.4 months at 0.03'],
  ['metrics and alarms', 0.002054795, '5.40 a month, of which 1/2,628'],
  // A commit's links are on all 3 shards. Of 3,000 pushes with one link each, half send a message.
  ['live page', 0.004109849, '0.0006 + 0.001256 + 0.00075 + 0.0015 + 0.000004'],
])('%s costs $%d for a million clicks: %s', (name, expected) => {
  expect(priceUsage(busy, stage)[name]).toBeCloseTo(expected, 8);
});

test('without the bus, a million clicks cost a dollar less, and every other part the same', () => {
  const viaQueue = priceUsage(busy, { ...stage, clicksVia: 'queue' });

  expect(viaQueue).toEqual({ ...priceUsage(busy, stage), bus: 0 });
});

test('a provisioned table costs its use at the mean utilisation, and at least its minimum', () => {
  const costs = priceUsage(busy, { ...stage, billing: 'provisioned' });

  // 250 units a second, at 60%, for 1,000 of an hour's 3,600 seconds at 0.00065.
  expect(costs.writes).toBeCloseTo((250 / 0.6) * 0.00065 * (1_000 / 3_600), 8);
  // 1.8 reads a second for redirects and 6 for pushes, at 45%, leave 82.7 unused at 0.00013.
  const [reads, writes] = [100 - 7.8 / 0.45 + 5, 500 - 250 / 0.6 + 5];
  expect(costs['unused capacity']).toBeCloseTo(
    ((reads * 0.00013 + writes * 0.00065) * 1_000) / 3_600,
    8,
  );
});

test('a month costs the sum of all parts, for 730 hours of the measured traffic', () => {
  // 3.025 for each of 2,628 times 1,000 s.
  expect(dollarsPerMonth(busy, stage)).toBeCloseTo(2_628 * 3.025306928, 2);
});

test('an idle stage pays for its monitoring and for polling its queues', () => {
  // 2.30 for alarms, 1.00 for the key; 1,314,000 receives.
  expect(dollarsAtRest(readStage({ clickQueues: 2 }))).toBeCloseTo(3.3 + 0.5256, 8);
});
