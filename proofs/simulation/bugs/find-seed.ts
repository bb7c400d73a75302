import type { Simulator } from '../simulator.ts';
import type { PlantedBug } from './planted-bug.ts';
import { toChange } from './stand-in.ts';

/** The auditor must find a planted bug within this number of worlds, from seed 1. */
export const maxWorlds = 40;

/** The first seed with the bug's kind of violation, and all kinds that occurred. */
export async function findSeed(
  bug: PlantedBug,
  simulator: Simulator,
): Promise<{ seed?: number; kinds: string[] }> {
  const [change, options] = [toChange(bug), { maxClicks: 80 }];
  const kinds = new Set<string>();
  for (let seed = 1; seed <= maxWorlds; seed += 1) {
    const { violations } = await simulator.run({ seed, bug: change, options });
    for (const { kind } of violations) kinds.add(kind);
    if (kinds.has(bug.kind)) return { seed, kinds: [...kinds] };
  }
  return { kinds: [...kinds] };
}
