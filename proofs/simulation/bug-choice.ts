import { InvalidArgumentError } from 'commander';
import { createProgress } from '../../cli/terminal/progress.ts';
import { plantedBugs } from './bugs/bugs.ts';
import { findSeed } from './bugs/find-seed.ts';
import { findBug } from './bugs/stand-in.ts';
import { Simulator } from './simulator.ts';
import type { ServiceChange } from './tasks.ts';

/** The value of --bug: a bug, or a word for all bugs. */
export type BugChoice = ServiceChange | 'list' | 'all';

export function parseBug(text: string): BugChoice {
  if (text === 'list' || text === 'all') return text;
  const found = findBug(text);
  if (found) return found;
  throw new InvalidArgumentError('Expected the name of a planted bug; --bug list prints them.');
}

export function listBugs(): true {
  for (const { name, kind } of plantedBugs) console.log(`${name}: ${kind}`);
  return true;
}

/** Prints the seed that reveals each bug. */
export async function findAllBugs(): Promise<boolean> {
  const lines: string[] = [];
  const progress = createProgress(plantedBugs.length, 'planted bugs');
  await using simulator = new Simulator();
  let isSound = true;
  try {
    for (const bug of plantedBugs) {
      const { seed, kinds } = await findSeed(bug, simulator);
      progress.add();
      isSound &&= seed !== undefined;
      lines.push(`${String(seed ?? 'none').padStart(5)}  ${bug.name}: ${kinds.join(', ')}`);
    }
  } finally {
    progress.end();
  }
  for (const line of lines) console.log(line);
  return isSound;
}
