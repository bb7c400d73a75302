import { afterAll, describe, expect, test } from 'vitest';
import { compileFunctionCode } from '../../simulation/compiled-code.ts';
import { buildFunctionCode } from '../../simulation/function-code.ts';
import { plantedBugs } from '../../simulation/planted-bugs.ts';
import { runWorld } from '../../simulation/run-world.ts';
import { describeTask, Simulator, type WorldTask } from '../../simulation/simulator.ts';
import { readSettings } from '../../simulation/stage-settings.ts';
import { drawPlan } from '../../simulation/world-plan.ts';

const seeds = Array.from({ length: 30 }, (_, index) => 1_001 + index);
const maxWorlds = 40;
const simulators = [new Simulator(), new Simulator()] as const;
const run = (index: number, task: WorldTask) => simulators[index % 2 === 0 ? 0 : 1].run(task);

afterAll(async () => {
  for (const simulator of simulators) await simulator[Symbol.asyncDispose]();
});

describe('nothing is lost and nothing is counted twice', () => {
  test.concurrent.each(seeds)('in the world of seed %i', async (seed) => {
    const task: WorldTask = { seed, options: { maxClicks: 150 } };

    const { violations } = await run(seed, task);

    expect(violations, `npm --prefix proofs run simulate -- ${describeTask(task)} --trace`).toEqual(
      [],
    );
  });
});

test('while the table throttles writes, visitors are redirected, and no click is lost', async () => {
  const plan = drawPlan(1, { maxClicks: 60 });
  const settings = readSettings().find(({ stage }) => stage === 'prod') ?? plan.settings;
  const noFaults = { failureRate: 0, crashRate: 0, freezeRate: 0, throttleRate: 0, outages: [] };
  const throttledWrites = [{ fromMs: 0, untilMs: 60_000 }];

  const { violations, totals } = await runWorld(
    {
      ...{ ...plan, ...noFaults, settings, throttledWrites, deployAfterMs: [], redriveAfterMs: [] },
      ...{ clicks: 40, visitShare: 0.5, strayShare: 0, poisonShare: 0, redeliveryRate: 0 },
      ...{ spanMs: 60_000, isLong: false },
    },
    compileFunctionCode(await buildFunctionCode()),
  );

  expect(violations).toEqual([]);
  expect(totals).toMatchObject({ redirects: expect.any(Number), throttled: expect.any(Number) });
  expect(totals).not.toHaveProperty('refused visits');
});

describe(`the simulation finds each planted bug within ${maxWorlds} worlds`, () => {
  const rows = plantedBugs.map(({ name, kind }, index) => ({ name, kind, index }));
  test.concurrent.each(rows)('$name: $kind', async ({ name, kind, index }) => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= maxWorlds && !kinds.has(kind); seed += 1) {
      const { violations } = await run(index, { seed, bug: name, options: { maxClicks: 80 } });
      for (const violation of violations) kinds.add(violation.kind);
    }

    expect([...kinds]).toContain(kind);
  });
});
