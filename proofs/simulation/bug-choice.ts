import { InvalidArgumentError } from 'commander';
import { createProgress } from '../../cli/terminal/progress.ts';
import type { PlantedBug, Service } from './function-code.ts';
import { orderBugs } from './orders/planted-bugs.ts';
import { plantedBugs } from './planted-bugs.ts';
import { maxSeeds, recordPlantedSeeds } from './planted-seeds.ts';

/** What --bug takes: a bug, or a word for all of a service's bugs. */
export type BugChoice = PlantedBug | 'list' | 'all';

const bugsOf: Record<Service, PlantedBug[]> = { clicks: plantedBugs, orders: orderBugs };

export function parseBug(text: string): BugChoice {
  if (text === 'list' || text === 'all') return text;
  const found = Object.values(bugsOf)
    .flat()
    .find(({ name }) => name === text);
  if (found) return found;
  throw new InvalidArgumentError('Expected the name of a planted bug; --bug list prints them.');
}

export function listBugs(service: Service): true {
  for (const { name } of bugsOf[service]) console.log(name);
  return true;
}

/** Prints the first seed that shows each bug, and records it for the tests. */
export async function findAllBugs(service: Service): Promise<boolean> {
  const bugs = bugsOf[service];
  const lines: string[] = [];
  let isSound = true;
  const progress = createProgress(bugs.length, 'planted bugs');
  try {
    await recordPlantedSeeds(service, bugs, ({ name }, seed) => {
      progress.add();
      isSound &&= seed !== undefined;
      lines.push(`${String(seed ?? 'none').padStart(5)}  ${name}`);
    });
  } finally {
    progress.end();
  }
  console.log(`first seed of 1 to ${maxSeeds}, and the bug that it shows`);
  for (const line of lines.toSorted()) console.log(line);
  return isSound;
}
