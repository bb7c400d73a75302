import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { PlantedBug, Service } from './function-code.ts';
import { Simulator } from './pool.ts';

/** Within so many seeds, from 1 on, the auditor must object to each planted bug. */
export const maxSeeds = 200;
const options = { maxClicks: 60 };
const file = new URL('planted-seeds.json', import.meta.url);

/** The first seed that shows each planted bug, by the bug's name. */
type SeedsByName = Record<string, number>;

/** The seeds as they were last recorded. They only save the tests a search. */
export async function readPlantedSeeds(): Promise<Record<Service, SeedsByName>> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/**
 * A seed in whose world the auditor objects to the service with this bug: the likely one if it
 * does, otherwise the first; undefined if there is none.
 */
export async function findSeed(
  bug: PlantedBug,
  service: Service,
  simulator: Simulator,
  likely?: number,
): Promise<number | undefined> {
  const shows = async (seed: number) => {
    const { violations } = await simulator.run({ service, seed, bug, options });
    return violations.length > 0;
  };
  if (likely !== undefined && likely <= maxSeeds && (await shows(likely))) return likely;
  for (let seed = 1; seed <= maxSeeds; seed += 1) {
    if (seed !== likely && (await shows(seed))) return seed;
  }
  return undefined;
}

/** Finds the first seed of each bug, and records them. */
export async function recordPlantedSeeds(
  service: Service,
  bugs: PlantedBug[],
  onFound: (bug: PlantedBug, seed: number | undefined) => void,
): Promise<void> {
  const seeds: SeedsByName = {};
  const left = bugs.values();
  const search = async () => {
    const simulator = new Simulator();
    try {
      for (const bug of left) {
        const seed = await findSeed(bug, service, simulator);
        if (seed !== undefined) seeds[bug.name] = seed;
        onFound(bug, seed);
      }
    } finally {
      await simulator.stop();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, search));
  const names = bugs.map(({ name }) => name).filter((name) => name in seeds);
  const recorded = Object.fromEntries(names.map((name) => [name, seeds[name]]));
  const all = { ...(await readPlantedSeeds()), [service]: recorded };
  await writeFile(file, `${JSON.stringify(all, null, 2)}\n`);
}
