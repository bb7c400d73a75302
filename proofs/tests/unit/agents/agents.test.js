import { list } from 'isbot';
import { expect, test } from 'vitest';
import { narrowedPatterns } from '../../../../lib/clicks/bot-patterns.ts';
import { readCollections } from '../../../agents/collections.ts';
import { countHits } from '../../../agents/patterns.ts';
import { notAGoal } from '../../../agents/review.ts';
import { judge } from '../../../agents/verdicts.ts';
const collections = await readCollections();
const shareOf = ({ right, all }) => (all === 0 ? 1 : right / all);
test.each(collections.filter((collection) => !(collection.package in notAGoal)))('99.5% of the bots and of the people in $package are counted as such, and 97% of the devices', (collection) => {
    const { bots, people, devices } = judge(collection);
    expect(collection.agents.length).toBeGreaterThan(90);
    expect(shareOf(bots)).toBeGreaterThanOrEqual(0.995);
    expect(shareOf(people)).toBeGreaterThanOrEqual(0.995);
    expect(shareOf(devices)).toBeGreaterThanOrEqual(0.97);
});
test('no pattern that finds bots matches more people', () => {
    const used = list.map((pattern) => narrowedPatterns[pattern] ?? pattern).filter(Boolean);
    const hits = countHits(used, collections);
    expect(hits.filter(({ bots, people }) => people > 0 && people >= bots)).toEqual([]);
});
