import { expect, test, vi } from 'vitest';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { clickSlot, mintSeed } from '../../../lib/clicks/placed-id.ts';

type Source = ReturnType<typeof createClickIds>;

/** Mints ids for clicks on these links in turn. */
const place = (count: number, placeClick: Source, codes = ['code']) =>
  Array.from({ length: count }, (_, index) => placeClick(codes[index % codes.length] ?? ''));
const take = (count: number, placeClick: Source, codes?: string[]) =>
  place(count, placeClick, codes).map(({ clickId }) => clickId);
const nameLinks = (count: number) => Array.from({ length: count }, (_, index) => `link-${index}`);
const sheetOf = (id = '') => id.split('.')[0] ?? '';
const sheetsOf = (ids: string[]) => new Set(ids.map(sheetOf));
const queuesOf = (clicks: { queue: number }[]) => clicks.map(({ queue }) => queue);

/** Environments that choose their queues in the same way in each run. */
const startEnvironments = (count: number, queues: number) =>
  Array.from({ length: count }, (_, environment) => {
    let minted = 0;
    return createClickIds(queues, () => `${environment}-${minted++}`.padStart(22, '0'));
  });

test('click ids of one link take the slots of a sheet in order, then those of the next sheet', () => {
  const ids = take(257, createClickIds());

  const minted = ids.map((id) => clickSlot(`CLICK#${id}`));
  const slots = Array.from({ length: 128 }, (_, slot) => slot);
  expect(minted.map((slot) => slot?.index)).toEqual([...slots, ...slots, 0]);
  expect(sheetsOf(ids).size).toBe(3);
});

test('each sheet has its own random seed, so one sheet reveals nothing about another', () => {
  const mint = vi.fn(mintSeed);

  take(1_280, createClickIds(1, mint));

  const seeds = mint.mock.results.map(({ value }) => value);
  expect(seeds.length).toBeGreaterThanOrEqual(10);
  expect(new Set(seeds).size).toBe(seeds.length);
});

test('ids are unique while the number of links rises and falls, and a sheet has one queue', () => {
  const sources = [createClickIds(4), createClickIds(4)];

  const clicks = sources.flatMap((placeClick) =>
    [3, 1_000, 3, 1_000].flatMap((links) => place(1_500, placeClick, nameLinks(links))),
  );

  expect(new Set(clicks.map(({ clickId }) => clickId)).size).toBe(12_000);
  const bySheet = Map.groupBy(clicks, ({ clickId }) => sheetOf(clickId));
  const counts = [...bySheet.values()].map((onSheet) => new Set(queuesOf(onSheet)).size);
  expect(Math.max(...counts)).toBe(1);
});

test('clicks on many links fill eight sheets in parallel, and all environments group the links alike', () => {
  const codes = nameLinks(400);
  const groups = [createClickIds(), createClickIds()].map((placeClick, skipped) => {
    // Their sheets have different slots left.
    take(skipped, placeClick, codes.slice(399));
    const ids = take(400, placeClick, codes);
    const bySheet = Map.groupBy(codes, (_, index) => sheetOf(ids[index]));
    return [...bySheet.values()].map((group) => group.join()).toSorted();
  });

  expect(groups[0]).toHaveLength(8);
  expect(groups[0]).toEqual(groups[1]);
});

test.each([
  ['100 links', nameLinks(100), 1],
  ['101 links', nameLinks(101), 8],
  // Here, 100 are too many.
  [
    '200 quiet links beside a busy one',
    nameLinks(200).flatMap((code) => [...Array(9).fill('busy'), code]),
    8,
  ],
])('after 1,024 ids on %s, an environment fills its sheets in parallel', (_, codes, sheets) => {
  const placeClick = createClickIds();
  take(1_024, placeClick, codes);

  expect(sheetsOf(take(64, placeClick, nameLinks(64))).size).toBe(sheets);
});

/** Every other click is on the busy link. */
const takeBusy = (count: number, placeClick: Source) =>
  place(
    count,
    placeClick,
    nameLinks(count).flatMap((code) => ['busy', code]),
  );

test.each([
  [1, 129],
  [2, 17],
])('with %i queues, a busy link has its own sheet from click %i on', (queues, from) => {
  const ids = takeBusy(3_000, createClickIds(queues)).map(({ clickId }) => clickId);

  const countShared = (first: number, end: number) => {
    const some = ids.slice(first, end);
    const [busy, others] = [0, 1].map((half) => some.filter((_, index) => index % 2 === half));
    return sheetsOf(busy ?? []).intersection(sheetsOf(others ?? [])).size;
  };
  expect(countShared(0, 2 * (from - 1))).toBeGreaterThan(0);
  expect(countShared(2 * (from - 1), 3_000)).toBe(0);
});

test('a link that is no longer busy shares a sheet again', () => {
  const placeClick = createClickIds();
  takeBusy(2_048, placeClick);
  take(2_048, placeClick, nameLinks(400));

  const [id, ...others] = take(64, placeClick, ['busy', ...nameLinks(63)]);

  expect(sheetsOf(others)).toContain(sheetOf(id));
});

test('two busy links never share a sheet', () => {
  const placeClick = createClickIds();
  const codes = nameLinks(1_000).flatMap((code) => ['busy-1', 'busy-2', code]);
  take(1_024, placeClick, codes);

  const [one, other] = ['busy-1', 'busy-2'].map((code) => take(200, placeClick, [code]));

  expect(sheetsOf(one ?? []).intersection(sheetsOf(other ?? [])).size).toBe(0);
});

test.each([4, 8])("all environments send a link's clicks to the same of %i queues", (queues) => {
  const [one, other] = [createClickIds(queues), createClickIds(queues)].map((placeClick) =>
    queuesOf(place(400, placeClick, nameLinks(400))),
  );

  expect(one).toEqual(other);
  expect(new Set(one).size).toBe(queues);
});

// Half of the clicks fill half of the queues.
test.each([
  [4, 2],
  [8, 4],
])('with %i queues, each environment sends a busy link to one, and all use %i', (queues, used) => {
  const codes = nameLinks(512).flatMap((code) => ['busy', code]);

  const queuesOfBusy = startEnvironments(16, queues).map((placeClick) => {
    take(1_024, placeClick, codes);
    const clicks = codes.map((code) => ({ code, ...placeClick(code) }));
    return new Set(queuesOf(clicks.filter(({ code }) => code === 'busy')));
  });

  expect(new Set(queuesOfBusy.map(({ size }) => size))).toEqual(new Set([1]));
  expect(new Set(queuesOfBusy.flatMap((one) => [...one])).size).toBe(used);
});
