import { beforeAll, expect, test } from 'vitest';
import { type Cell, type Result, runCell, useFront } from '../../../capacity/run-cell.ts';
import type { Tuning } from '../../../capacity/stage.ts';
import type { Traffic } from '../../../capacity/traffic.ts';
import { buildFunctionCode } from '../../../simulation/function-code.ts';
import { compileFunctionCode, type FunctionCode } from '../../../simulation/sandbox.ts';

/** 20 clicks a second, measured from the first click to the last. */
const traffic: Traffic = {
  ...{ name: 'small', clicksPerSecond: 20, law: { links: 50, hotShare: 0.5 } },
  ...{ measureFromSeconds: 0, untilSeconds: 10 },
  untilEmpty: true,
};

let code: FunctionCode;

beforeAll(async () => {
  code = compileFunctionCode(await buildFunctionCode());
});

const run = (tuning: Tuning = {}, changes: Partial<Traffic> = {}): Promise<Result> => {
  const cell: Cell = { traffic: { ...traffic, ...changes }, tuning };
  return runCell(cell, code);
};

test('every click is counted once, and a cell always has the same result', async () => {
  const [first, second] = [await run(), await run()];

  const { usage, offeredPerSecond, ...result } = first;
  const sent = offeredPerSecond * usage.seconds;
  expect(sent).toBeGreaterThan(150);
  expect(sent).toBeLessThan(250);
  expect(usage.clicks).toBe(Math.round(sent));
  expect(usage.seconds).toBeLessThan(15);
  expect(result).toMatchObject({ holds: true, deadLetters: 0 });
  expect(second).toEqual(first);
});

test("clicks wait for their batch's window", async () => {
  const { lagMs } = await run({ batchWindowSeconds: 3 });

  expect(lagMs.worst).toBeGreaterThan(3_000);
  expect(lagMs.worst).toBeLessThan(4_000);
});

test('no click is lost in an outage: failed messages are redelivered and counted', async () => {
  const outage = { fromSeconds: 2, untilSeconds: 60 };

  const { usage, lagMs, ...result } = await run({}, { outage });

  expect(usage.clicks).toBe(Math.round(result.offeredPerSecond * usage.seconds));
  expect(result).toMatchObject({ holds: true, deadLetters: 0 });
  // After the visibility timeout, 190 s in prod.
  expect(lagMs.worst).toBeGreaterThan(150_000);
  expect(lagMs.worst).toBeLessThan(250_000);
});

test.each([
  ['bus', false, 2],
  ['queue', false, 0],
  ['bus', true, 0],
])(
  "with clicksVia: %s and foreign clicks: %s, 20,000 clicks a second use %d times the bus's quota",
  (...row) => {
    const [clicksVia, isForeign, expected] = row;
    const settings = { clicksVia, visitorsPerSecond: 2_000 };
    const law = { links: 1, hotShare: 0, isForeign };

    const use = useFront(settings, { clicksPerSecond: 20_000, law });

    // 10,000 in us-east-1.
    expect(use["the bus's quota"]).toBe(expected);
    expect(use["the API's limit for visitors"]).toBe(10);
  },
);
