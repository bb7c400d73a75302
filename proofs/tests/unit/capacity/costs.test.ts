import { expect, test } from 'vitest';
import { dollarsByPart, dollarsOf } from '../../../capacity/costs.ts';
import { readStage } from '../../../capacity/stage.ts';
import { countUnits, countUnitsAtRest, toMonth, type Usage } from '../../../capacity/usage.ts';

/** A million clicks in 1,000 s, in batches of 1,000. */
const busy: Usage = {
  law: { links: 3, hotShare: 0 },
  clicks: 1_000_000,
  seconds: 1_000,
  invocations: 1_000,
  invocationSeconds: 200,
  queueRequests: 110_000,
  writeUnits: 250_000,
  readUnits: 1_000,
  links: 62_500,
  logBytes: 125_435_456,
};

const stage = {
  ...readStage(),
  provisionedUnits: { reads: 100, writes: 500 },
  memoryMb: 1_024,
  resolverMemoryMb: 512,
  logRetentionDays: 73,
  pushBatchWindowMs: 1_000,
};

const parts = dollarsByPart(countUnits(busy, stage));

test.each<[keyof typeof parts, number, string]>([
  // 2,628 million a month.
  ['API', 0.911415525, '300 of 2,628 at 1.00, the others at 0.90'],
  ['data transfer', 0.062864274, '750 bytes per click at 0.09 per GB'],
  ['resolver', 0.313820882, '0.20 for requests; 15 ms of waiting, 0.6 ms of CPU at 29%'],
  ['reads', 0.00035, '18 environments read 3 links 33.3 times; 1,000 days of visitors'],
  ['bus', 1, 'one event per click'],
  ['queue', 0.444, '1,110,000 requests'],
  ['aggregator', 0.00286668, '1,000 requests and 200 GB-s'],
  ['writes', 0.15625, '250,000 units'],
  // 200 bytes a click, and the aggregator's: 2^28.
  ['logs', 0.1277, 'a quarter of a GB at 0.50; 15% of it for 2.4 months at 0.03'],
  ['metrics and alarms', 0.00098934551, '2.60 a month, of which 1/2,628'],
  // A commit's links are on all 3 shards. Of 3,000 pushes with one link each, half send a message.
  ['live page', 0.004109849, '0.0006 + 0.001256 + 0.00075 + 0.0015 + 0.000004'],
])('%s costs $%d for a million clicks: %s', (name, expected) => {
  expect(parts[name]).toBeCloseTo(expected, 8);
});

test('without the bus, a million clicks cost a dollar less, and every other part the same', () => {
  const viaQueue = countUnits(busy, { ...stage, clicksVia: 'queue' });

  expect(dollarsByPart(viaQueue)).toEqual({ ...parts, bus: 0 });
});

test('a provisioned table costs its use at the mean utilisation, and at least its minimum', () => {
  const costs = dollarsByPart(countUnits(busy, { ...stage, billing: 'provisioned' }));

  // 250 units a second, at 60%, for 1,000 of an hour's 3,600 seconds at 0.00065.
  expect(costs.writes).toBeCloseTo((250 / 0.6) * 0.00065 * (1_000 / 3_600), 8);
  // 1.8 reads a second for redirects, 1 for visitors and 6 for pushes, at 45%, leave 80.4 unused at 0.00013.
  const reads = 100 - 8.8 / 0.45 + 5;
  const writes = 500 - 250 / 0.6 + 5;
  expect(costs['unused capacity']).toBeCloseTo(
    ((reads * 0.00013 + writes * 0.00065) * 1_000) / 3_600,
    8,
  );
});

test.each([
  // $150 at once and $0.0128 an hour for 100 units, each of which otherwise costs $0.00065 an hour.
  [1, (150 / 8_760 + 0.0128) / 0.065],
  [3, (180 / 26_280 + 0.0081) / 0.065],
] as const)(
  'reserved for %d years, writes of a provisioned table cost %d of their price',
  (years, share) => {
    const bill = countUnits(busy, { ...stage, billing: 'provisioned' });
    const reserved = dollarsByPart(bill, { reservedYears: years });

    expect(reserved.writes).toBeCloseTo(share * dollarsByPart(bill).writes, 8);
    expect(reserved.API).toBe(parts.API);
  },
);

test("a month is priced by the row's clicks, not by those that were counted in the window", () => {
  // A tenth of a million clicks was still waiting at the end: each million of a month costs what 900,000 do, and
  // a ninth more.
  const counted: Usage = { ...busy, clicks: 900_000 };
  const month = dollarsByPart(countUnits(toMonth(counted, 2_628e6), stage));

  expect(month.API).toBeCloseTo(300 + 2_328 * 0.9, 6);
  expect(month.bus).toBeCloseTo(2_628, 6);
  expect(month.writes).toBeCloseTo((2_628 / 0.9) * 0.25 * 0.625, 6);
  expect(month.queue).toBeCloseTo(2_628 * (1 + 0.11 / 0.9) * 0.4, 6);
  expect(month['metrics and alarms']).toBeCloseTo(2.6, 6);
});

test('a small month costs what its units cost by hand, less the units that are always free', () => {
  // 100,000 clicks, each alone in its batch of 60 ms.
  const alone: Usage = {
    law: { links: 100, hotShare: 0 },
    clicks: 1_000,
    seconds: 26_280,
    invocations: 1_000,
    invocationSeconds: 60,
    queueRequests: 8_570,
    writeUnits: 6_000,
    readUnits: 0,
    links: 1_000,
    logBytes: 500_000,
  };
  const bill = countUnits(toMonth(alone, 100_000), { ...stage, pushBatchWindowMs: 1_000 });
  const month = dollarsByPart(bill);

  expect(month.API).toBeCloseTo(0.1, 10);
  expect(month.writes).toBeCloseTo(0.375, 10);
  expect(month.queue).toBeCloseTo(0.3828, 10);
  const all = Object.values(month).reduce((sum, dollars) => sum + dollars, 0);
  expect(dollarsOf(bill)).toBeCloseTo(all, 10);
  // The queue's 957,000 requests, Lambda, logs and transfer are free, and 1.00 of 2.30 for alarms and 0.30 for a metric.
  const stored = 100_000 * (143 + 500) * 0.15 * 2.4 * (0.03 / 2 ** 30);
  const livePage = 0.125e-6 * 200_000 + 50_000e-6 + 43_800 * 0.25e-6;
  const paid = 0.1 + 0.1 + (month.reads ?? 0) + 0.375 + 1.3 + stored + livePage;
  expect(dollarsOf(bill, { hasFreeUnits: true })).toBeCloseTo(paid, 6);
});

test('an idle stage pays for its alarms and for polling its queues', () => {
  // 2.30 for alarms; 1,314,000 receives.
  expect(dollarsOf(countUnitsAtRest(readStage({ clickQueues: 2 })))).toBeCloseTo(2.3 + 0.5256, 8);
});
