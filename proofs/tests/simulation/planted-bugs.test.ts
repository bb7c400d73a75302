import { afterAll, describe, expect, test } from 'vitest';
import { plantedBugs } from '../../simulation/planted-bugs.ts';
import { findSeed, readPlantedSeeds } from '../../simulation/planted-seeds.ts';
import { Simulator } from '../../simulation/pool.ts';

const { clicks: likely } = await readPlantedSeeds();
const simulators = [new Simulator(), new Simulator()];

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

describe('the simulation finds, within 200 seeds, that', () => {
  test.concurrent.each(plantedBugs.map((bug, index) => ({ name: bug.name, bug, index })))(
    '$name',
    async ({ name, bug, index }) => {
      const simulator = simulators[index % simulators.length] ?? new Simulator();

      expect(await findSeed(bug, 'clicks', simulator, likely[name])).toBeDefined();
    },
  );
});
