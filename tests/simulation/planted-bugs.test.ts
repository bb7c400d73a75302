import { afterAll, describe, expect, test } from 'vitest';
import { plantedBugs } from '../../evidence/simulation/planted-bugs.ts';
import { Simulator } from '../../evidence/simulation/pool.ts';

const maxSeeds = 200;
const options = { maxClicks: 60 };

const simulators = [new Simulator(), new Simulator()];

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

/** The first seed in whose world the auditor objects to the service with this bug. */
async function findSeed(bug: string, simulator: Simulator): Promise<number | undefined> {
  for (let seed = 1; seed <= maxSeeds; seed += 1) {
    const { violations } = await simulator.run({ seed, bug, options });
    if (violations.length > 0) return seed;
  }
  return undefined;
}

describe('the simulation finds, within 200 seeds, that', () => {
  test.concurrent.each(plantedBugs.map(({ name }, index) => [name, index] as const))(
    '%s',
    async (name, index) => {
      const simulator = simulators[index % simulators.length] ?? new Simulator();

      expect(await findSeed(name, simulator)).toBeDefined();
    },
  );
});
