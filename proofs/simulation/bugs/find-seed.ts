import type { Service } from '../function-code.ts';
import type { Simulator } from '../pool.ts';
import type { PlantedBug } from './planted-bug.ts';
import { toChange } from './stand-in.ts';

/** In how many worlds the auditor must find a planted bug. */
export const maxWorlds = 10;
const options = { maxClicks: 60 };

/** The first seed that shows the bug by the kind of violation it must cause; and the kinds it caused. */
export async function findSeed(
  { seed: first = 1, ...bug }: PlantedBug,
  service: Service,
  simulator: Simulator,
): Promise<{ seed?: number; kinds: string[] }> {
  const change = toChange(bug);
  const kinds = new Set<string>();
  for (let seed = first; seed < first + maxWorlds; seed += 1) {
    const { violations } = await simulator.run({ service, seed, bug: change, options });
    for (const { kind } of violations) kinds.add(kind);
    if (kinds.has(bug.kind)) return { seed, kinds: [...kinds] };
  }
  return { kinds: [...kinds] };
}
