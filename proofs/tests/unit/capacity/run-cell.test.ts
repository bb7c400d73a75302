import { beforeAll, expect, test } from 'vitest';
import type { Cell, Result } from '../../../capacity/result.ts';
import { runCell } from '../../../capacity/run-cell.ts';
import type { Traffic } from '../../../capacity/traffic.ts';
import { compileFunctionCode, type FunctionCode } from '../../../simulation/compiled-code.ts';
import { buildFunctionCode } from '../../../simulation/function-code.ts';

/** Measured from the first click to the last. */
const traffic: Traffic = {
  ...{ name: 'small', title: '20 clicks a second for 10 seconds', clicksPerSecond: 20 },
  law: { links: 50, hotShare: 0.5 },
  ...{ measureFromSeconds: 0, untilSeconds: 10, drains: true },
};
const cell: Cell = { stage: 'prod', traffic: traffic.name, approach: 'click-tally' };

let code: FunctionCode;

beforeAll(async () => {
  code = compileFunctionCode(await buildFunctionCode());
});

const run = (changes: Partial<Cell> = {}, other: Partial<Traffic> = {}): Promise<Result> =>
  runCell({ ...cell, ...changes }, code, undefined, { ...traffic, ...other });

test('every click is counted once', async () => {
  const { usage, ...result } = await run();

  const sent = result.offeredPerSecond * result.seconds;
  expect(sent).toBeGreaterThan(150);
  expect(sent).toBeLessThan(250);
  expect(usage.clicks).toBe(Math.round(sent));
  expect(result.seconds).toBeLessThan(15);
  expect(result).toMatchObject({ holds: true, deadLetters: 0, duplicateShare: 0 });
});

test('a cell always has the same result', async () => {
  const first = await run();
  const second = await run();

  expect(second).toEqual(first);
});

test("clicks wait for their batch's window", async () => {
  const { lagMs } = await run({ tuning: { batchWindowSeconds: 3 } });

  expect(lagMs.worst).toBeGreaterThan(3_000);
  expect(lagMs.worst).toBeLessThan(4_000);
});

test('an instance with less memory takes longer to initialise and to count', async () => {
  const small = await run({ tuning: { memoryMb: 128 } });
  const large = await run({ tuning: { memoryMb: 1_769 } });

  expect(small.lagMs.worst).toBeGreaterThan(large.lagMs.worst + 500);
  expect(small.invocationMs).toBeGreaterThan(large.invocationMs);
});

test('no click is lost in an outage', async () => {
  const outage = { fromSeconds: 2, untilSeconds: 8 };

  const { usage, ...result } = await run({}, { outage });

  expect(usage.clicks).toBe(Math.round(result.offeredPerSecond * result.seconds));
  expect(result).toMatchObject({ holds: true, deadLetters: 0, depth: { end: 0 } });
});

test('an outage ends when the last failed message has been redelivered', async () => {
  const outage = { fromSeconds: 2, untilSeconds: 60 };

  const { drainSeconds, deadLetters } = await run({}, { outage });

  // Failed messages are redelivered after the visibility timeout, 190 s in prod.
  expect(deadLetters).toBe(0);
  expect(drainSeconds).toBeGreaterThan(100);
  expect(drainSeconds).toBeLessThanOrEqual(190);
});

test('a spike ends with its backlog, even if single clicks wait later', async () => {
  const spike = { fromSeconds: 2, untilSeconds: 4, factor: 100 };

  const { drainSeconds, depth } = await run({ stage: 'dev' }, { spike, untilSeconds: 30 });

  // Two concurrent batches of ten clicks.
  expect(depth.max).toBeGreaterThan(1_000);
  expect(drainSeconds).toBeGreaterThan(2);
  expect(drainSeconds).toBeLessThan(20);
});
