import { expect, test, vi } from 'vitest';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { clickSlot, mintSeed } from '../../../lib/clicks/placed-id.ts';
/** An environment whose clicks come this many milliseconds apart. Its first 128 clicks have shown that. */
const createEnvironment = (queues = 1, apartMs = 10) => {
    let nowMs = 0;
    const placeClick = createClickIds(queues, mintSeed, () => nowMs);
    const placeLater = (code) => {
        nowMs += apartMs;
        return placeClick(code);
    };
    place(128, placeLater, nameLinks(128));
    return placeLater;
};
/** Mints ids for clicks on these links in turn. Returns their sheets, too. */
const place = (count, placeClick, codes = ['code']) => Array.from({ length: count }, (_, index) => {
    const code = codes[index % codes.length] ?? '';
    const click = placeClick(code);
    return { ...click, code, sheet: click.clickId.split('.')[0] ?? '' };
});
const sheetsOf = (clicks) => new Set(clicks.map(({ sheet }) => sheet));
const queuesOf = (clicks) => clicks.map(({ queue }) => queue);
const nameLinks = (count) => Array.from({ length: count }, (_, index) => `link-${index}`);
/** Every other click is on the busy link. */
const withBusy = (links) => nameLinks(links).flatMap((code) => ['busy', code]);
const onBusy = ({ code }) => code === 'busy';
test('click ids of one link take the slots of a sheet in order, then those of the next sheet', () => {
    const clicks = place(257, createEnvironment());
    const minted = clicks.map(({ clickId }) => clickSlot(`CLICK#${clickId}`)?.index);
    const slots = Array.from({ length: 128 }, (_, slot) => slot);
    expect(minted).toEqual([...slots, ...slots, 0]);
    expect(sheetsOf(clicks).size).toBe(3);
});
test('each sheet has its own random seed, so one sheet reveals nothing about another', () => {
    const mint = vi.fn(mintSeed);
    place(1280, createClickIds(1, mint));
    const seeds = mint.mock.results.map(({ value }) => value);
    expect(seeds.length).toBeGreaterThanOrEqual(10);
    expect(new Set(seeds).size).toBe(seeds.length);
});
test('ids are unique while the number of links rises and falls, and a sheet has one queue', () => {
    const sources = [createEnvironment(4), createEnvironment(4)];
    const clicks = sources.flatMap((placeClick) => [3, 1000, 3, 1000].flatMap((links) => place(1500, placeClick, nameLinks(links))));
    expect(new Set(clicks.map(({ clickId }) => clickId)).size).toBe(12000);
    const counts = [...Map.groupBy(clicks, ({ sheet }) => sheet).values()].map((onSheet) => new Set(queuesOf(onSheet)).size);
    expect(Math.max(...counts)).toBe(1);
});
test('ids are unique when more links were busy than an environment remembers sheets for', () => {
    const others = nameLinks(1000);
    const rushes = Array.from({ length: 40 * 200 }, (_, index) => [
        `busy-${Math.floor(index / 200)}`,
        others[index % others.length] ?? '',
    ]).flat();
    const clicks = place(2 * rushes.length, createEnvironment(), rushes);
    expect(new Set(clicks.map(({ clickId }) => clickId)).size).toBe(2 * rushes.length);
});
test('clicks on many links fill a sheet for each of eight queues, and all environments group the links alike', () => {
    const groups = [createEnvironment(8), createEnvironment(8)].map((placeClick, skipped) => {
        // Their sheets have different slots left.
        place(skipped, placeClick, ['link-399']);
        const clicks = place(400, placeClick, nameLinks(400));
        expect(new Set(queuesOf(clicks)).size).toBe(8);
        const bySheet = Map.groupBy(clicks, ({ sheet }) => sheet);
        return [...bySheet.values()].map((group) => group.map(({ code }) => code).join()).toSorted();
    });
    expect(groups[0]).toHaveLength(8);
    expect(groups[0]).toEqual(groups[1]);
});
test.each([
    ['100 links', nameLinks(100), true],
    ['101 links', nameLinks(101), false],
    ['50 links and a busy one with half of them', withBusy(50), true],
    ['51 links and a busy one with half of them', withBusy(51), false],
])('the clicks after a sample on %s share one sheet only if their links are few', (_, codes, expected) => {
    const placeClick = createEnvironment();
    // The rest of the first sample, and another one.
    place(896 + 1024, placeClick, codes);
    const sheets = sheetsOf(place(128, placeClick, codes)).size;
    expect(sheets === 1, `${sheets} sheets`).toBe(expected);
});
test('after 128 clicks on it, a busy link has its own sheets and as many queues as it fills, until it is no longer busy', () => {
    const sources = Array.from({ length: 20 }, () => createEnvironment(4));
    const countShared = (clicks) => {
        const { true: busy = [], false: others = [] } = Object.groupBy(clicks, (one) => `${onBusy(one)}`);
        return sheetsOf(busy).intersection(sheetsOf(others)).size;
    };
    const codes = nameLinks(512).flatMap((code) => ['busy', 'busy', code]);
    const first = place(192, createEnvironment(4), codes);
    const later = sources.map((placeClick) => {
        place(896 + 1024, placeClick, codes);
        return place(2000, placeClick, codes);
    });
    expect(countShared(first)).toBeGreaterThan(0);
    expect(later.map(countShared)).toEqual(later.map(() => 0));
    const queues = later.map((clicks) => new Set(queuesOf(clicks.filter(onBusy))));
    expect(queues.map(({ size }) => size)).toEqual(queues.map(() => 1));
    // It has two thirds of the clicks.
    expect(queues.reduce((all, some) => all.union(some)).size).toBe(3);
    for (const placeClick of sources)
        place(2048, placeClick, nameLinks(400));
    const quiet = sources.map((placeClick) => place(64, placeClick, ['busy', ...nameLinks(63)]));
    expect(quiet.map(countShared)).toEqual(quiet.map(() => 1));
});
test.each([
    [63, 1],
    [62, 4],
])('128 clicks that come %d ms apart leave an environment with %d sheets for many links', (apartMs, expected) => {
    const placeClick = createEnvironment(1, apartMs);
    const clicks = place(128, placeClick, nameLinks(128));
    expect(sheetsOf(clicks).size).toBe(expected);
});
test('a quiet environment has a single sheet, even for a busy link, until its clicks come fast', () => {
    let nowMs = 0;
    const placeClick = createClickIds(1, mintSeed, () => nowMs);
    const placeEvery = (apartMs, count) => place(count, (code) => {
        nowMs += apartMs;
        return placeClick(code);
    }, withBusy(500));
    const quiet = placeEvery(1000, 1280);
    const rush = placeEvery(1, 128);
    const later = placeEvery(1, 128);
    expect(sheetsOf(quiet).size).toBe(10);
    expect(sheetsOf(rush).size).toBe(1);
    // The busy link's, and four for the others.
    expect(sheetsOf(later).size).toBe(5);
});
