import type { PlantedBug } from '../../simulation/function-code.ts';
import { plantedBugs } from '../../simulation/planted-bugs.ts';

export function findBug(name: string): PlantedBug {
  const found = plantedBugs.find((bug) => bug.name === name);
  if (!found) throw new RangeError(`expected the name of a planted bug; got "${name}"`);
  return found;
}
