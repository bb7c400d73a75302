import { beforeAll, expect, test } from 'vitest';
import { type Cell, type Result, runCell } from '../../../capacity/run-cell.ts';
import type { Tuning } from '../../../capacity/stage.ts';
import type { Traffic } from '../../../capacity/traffic.ts';
import { buildFunctionCode } from '../../../simulation/function-code.ts';
import { compileFunctionCode, type FunctionCode } from '../../../simulation/sandbox.ts';

/** 20 clicks a second, measured from the first click to the last. */
const traffic: Traffic = {
  name: 'small',
  clicksPerSecond: 20,
  law: { links: 50, hotShare: 0.5 },
  measureFromSeconds: 0,
  untilSeconds: 10,
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
  const first = await run();
  const second = await run();

  const { usage, offeredPerSecond, ...result } = first;
  const sent = offeredPerSecond * usage.seconds;
  expect(sent).toBeGreaterThan(150);
  expect(sent).toBeLessThan(250);
  expect(usage.clicks).toBe(Math.round(sent));
  expect(usage.seconds).toBeLessThan(15);
  expect(result).toMatchObject({ holds: true, deadLetters: 0 });
  expect(second).toEqual(first);
});

test('each click by a person that comes alone costs a write unit for its visitor', async () => {
  const alone = { law: { links: 1, hotShare: 0 }, clicksPerSecond: 0.1, untilSeconds: 1_000 };

  const counting = await run({}, alone);
  const { usage } = await run({ countVisitors: false }, alone);

  expect(counting.usage.clicks).toBe(usage.clicks);
  const people = 0.75 * usage.clicks;
  const units = counting.usage.writeUnits - usage.writeUnits;
  expect(units).toBeGreaterThan(0.8 * people);
  expect(units).toBeLessThan(1.2 * people);
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

test("clicks on the bus use their Region's quota of PutEvents, and clicks on the queue don't", async () => {
  const quota = "the Region's quota of PutEvents";
  const onBus = await runCell({ traffic, region: 'eu-north-1' }, code);
  const onQueue = await runCell(
    { traffic, region: 'eu-north-1', tuning: { clicksVia: 'queue' } },
    code,
  );

  // 20 of 600 a second.
  expect(onBus.utilisation[quota]).toBeCloseTo(20 / 600, 10);
  expect(onQueue.utilisation[quota]).toBe(0);
});

test('a provisioned table has scaled out for its usual traffic', async () => {
  // About 400 units a second. The minimum is 200.
  const usual = {
    law: { links: 1_000, hotShare: 0 },
    clicksPerSecond: 100,
    isUsual: true,
    measureFromSeconds: 4,
    untilSeconds: 8,
    untilEmpty: false,
  };

  expect(await run({ billing: 'provisioned' }, usual)).toMatchObject({ holds: true });
});
