import { beforeAll, expect, test } from 'vitest';
import { compileFunctionCode } from '../../simulation/compiled-code.ts';
import { type Comparison, compareIds, judge } from '../../simulation/contention-verdict.ts';
import { buildFunctionCode } from '../../simulation/function-code.ts';

const traffic = { seconds: 10, clicks: 1_000, links: 1_000, environments: 30, pollers: 10 };
let comparison: Comparison;

beforeAll(async () => {
  const code = compileFunctionCode(await buildFunctionCode());
  // In a single run, chance decides which transactions conflict.
  comparison = await compareIds(traffic, 4, code);
});

test('every click of a busy stage is counted once, with single markers and with sheets', () => {
  expect(judge(comparison).problems).toEqual([]);
});

test('concurrent invocations conflict', () => {
  expect(comparison.sheets.cancelledUnits).toBeGreaterThan(0);
});

test('sheets save write units, and retries cost less than a tenth of the saving', () => {
  const { single, sheets, singleAlone, sheetsAlone } = comparison;
  const saved = singleAlone.committedUnits - sheetsAlone.committedUnits;
  const unitsOf = ({ committedUnits, cancelledUnits }: typeof sheets) =>
    committedUnits + cancelledUnits;

  const added = unitsOf(sheets) - unitsOf(sheetsAlone) - (unitsOf(single) - unitsOf(singleAlone));

  expect(saved).toBeGreaterThan(0.5);
  expect(added).toBeLessThan(saved / 10);
});

test('a click on a sheet waits at most twice as long for its commit as with a single marker', () => {
  // With one sheet for all links of an environment, it waited fifteen times as long.
  const { single, sheets } = comparison;

  expect(sheets.lagMeanMs).toBeLessThan(2 * single.lagMeanMs);
});
