import type { Agent, Collection } from './agent.ts';
import { notAGoal, wrongInCollection } from './review.ts';

/** How many agents a pattern matches. */
export interface PatternHits {
  pattern: string;
  bots: number;
  people: number;
}

/** Counts each pattern's matches in the collections of today's agents. */
export function countHits(
  patterns: readonly string[],
  collections: readonly Collection[],
): PatternHits[] {
  const agents = collections
    .filter((collection) => !(collection.package in notAGoal))
    .flatMap((collection) => collection.agents.filter((agent) => isSorted(collection, agent)));
  return patterns.map((pattern) => {
    const regex = new RegExp(pattern, 'i');
    const hit = agents.filter(({ text }) => regex.test(text));
    const bots = hit.filter(({ isBot }) => isBot).length;
    return { pattern, bots, people: hit.length - bots };
  });
}

function isSorted(collection: Collection, { text }: Agent): boolean {
  return !wrongInCollection.some(
    (wrong) => wrong.package === collection.package && wrong.pattern.test(text),
  );
}
