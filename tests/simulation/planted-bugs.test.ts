import { afterAll, describe, expect, test } from 'vitest';
import type { PlantedBug } from '../../evidence/simulation/function-code.ts';
import { plantedBugs } from '../../evidence/simulation/planted-bugs.ts';
import { Simulator } from '../../evidence/simulation/pool.ts';

const maxSeeds = 200;
const options = { maxClicks: 60 };

const simulators = [new Simulator(), new Simulator()];

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

/** The first seed in whose world the auditor objects to the service with this bug. */
async function findSeed(bug: PlantedBug, simulator: Simulator): Promise<number | undefined> {
  for (let seed = 1; seed <= maxSeeds; seed += 1) {
    const { violations } = await simulator.run({ seed, bug, options });
    if (violations.length > 0) return seed;
  }
  return undefined;
}

describe('the simulation finds, within 200 seeds, that', () => {
  test.concurrent.each(plantedBugs.map((bug, index) => ({ name: bug.name, bug, index })))(
    '$name',
    async ({ bug, index }) => {
      const simulator = simulators[index % simulators.length] ?? new Simulator();

      expect(await findSeed(bug, simulator)).toBeDefined();
    },
  );
});
