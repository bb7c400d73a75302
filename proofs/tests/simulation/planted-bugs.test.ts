import { afterAll, describe, expect, test } from 'vitest';
import { plantedBugs } from '../../simulation/planted-bugs.ts';
import { Simulator } from '../../simulation/simulator.ts';

const maxWorlds = 40;
const options = { maxClicks: 80 };
const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

describe(`the simulation finds each planted bug within ${maxWorlds} worlds`, () => {
  const rows = plantedBugs.map(({ name, kind }, index) => ({ name, kind, index }));
  test.concurrent.each(rows)('$name: $kind', async ({ name, kind, index }) => {
    const simulator = simulators[index % 2 === 0 ? 0 : 1];
    const kinds = new Set<string>();
    for (let seed = 1; seed <= maxWorlds && !kinds.has(kind); seed += 1) {
      const { violations } = await simulator.run({ seed, bug: name, options });
      for (const violation of violations) kinds.add(violation.kind);
    }

    expect([...kinds]).toContain(kind);
  });
});
