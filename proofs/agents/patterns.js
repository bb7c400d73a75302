import { notAGoal, wrongInCollection } from './review.ts';
/** Counts each pattern's matches in the collections of today's agents. */
export function countHits(patterns, collections) {
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
function isSorted(collection, { text }) {
    return !wrongInCollection.some((wrong) => wrong.package === collection.package && wrong.pattern.test(text));
}
