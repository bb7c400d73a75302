import { describe, expect, test, vi } from 'vitest';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { clickSlot, mintSeed } from '../../../lib/clicks/placed-id.ts';

type Source = ReturnType<typeof createClickIds>;

/** Mints ids for clicks on these links in turn. */
const place = (count: number, placeClick: Source, codes = ['code']) =>
  Array.from({ length: count }, (_, index) => placeClick(codes[index % codes.length] ?? ''));
const take = (count: number, placeClick: Source, codes?: string[]) =>
  place(count, placeClick, codes).map(({ clickId }) => clickId);
const nameLinks = (count: number) => Array.from({ length: count }, (_, index) => `link-${index}`);
const sheetsOf = (ids: string[]) => new Set(ids.map((id) => id.split('.')[0]));

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

test('two sources never mint the same id', () => {
  const [one, other] = [take(200, createClickIds()), take(200, createClickIds())];

  expect(new Set([...one, ...other]).size).toBe(400);
});

test('ids stay unique while the number of links rises and falls', () => {
  const mintId = createClickIds();

  const ids = [3, 1_000, 3, 1_000].flatMap((links) => take(3_000, mintId, nameLinks(links)));

  expect(new Set(ids).size).toBe(12_000);
});

test('clicks on many links fill eight sheets in parallel, and all environments group the links alike', () => {
  const codes = nameLinks(400);
  const [one, other] = [createClickIds(), createClickIds()];
  take(1, other, codes.slice(399));

  const ids = take(400, one, codes);
  const others = take(400, other, codes);

  const groups = (of: string[]) => [
    ...Map.groupBy(codes, (_, i) => [...sheetsOf([of[i] ?? ''])][0]),
  ];
  const links = (of: string[]) =>
    groups(of)
      .map(([, group]) => group.join())
      .toSorted();
  expect(sheetsOf(ids).size).toBe(8);
  expect(links(others)).toEqual(links(ids));
});

test.each([
  [100, 1],
  [101, 8],
])('after 1,024 ids on %i links, an environment fills %i sheets in parallel', (links, n) => {
  const mintId = createClickIds();
  take(1_024, mintId, nameLinks(links));

  expect(sheetsOf(take(64, mintId, nameLinks(64))).size).toBe(n);
});

/** Every other click is on the busy link. */
const takeBusy = (count: number, placeClick: Source) =>
  place(
    count,
    placeClick,
    nameLinks(count).flatMap((code) => ['busy', code]),
  );

const halves = <T>(some: T[]) => [0, 1].map((half) => some.filter((_, i) => i % 2 === half));
const idsOf = (clicks: { clickId: string }[]) => clicks.map(({ clickId }) => clickId);

test.each([
  [1, 129],
  [2, 17],
])('with %i queues, a busy link has its own sheet from click %i on', (queues, from) => {
  const ids = idsOf(takeBusy(3_000, createClickIds(queues)));

  const countShared = (first: number, end: number) => {
    const [busy = [], others = []] = halves(ids.slice(first, end)).map(sheetsOf);
    return new Set(busy).intersection(new Set(others)).size;
  };
  expect(countShared(0, 2 * (from - 1))).toBeGreaterThan(0);
  expect(countShared(2 * (from - 1), 3_000)).toBe(0);
});

test('a link that is no longer busy shares a sheet again', () => {
  const placeClick = createClickIds();
  takeBusy(2_048, placeClick);
  take(2_048, placeClick, nameLinks(400));

  const ids = take(64, placeClick, ['busy', ...nameLinks(63)]);

  expect(sheetsOf(ids.slice(1))).toContain(ids[0]?.split('.')[0]);
});

test('two busy links never share a sheet', () => {
  const placeClick = createClickIds();
  const codes = nameLinks(1_000).flatMap((code) => ['busy-1', 'busy-2', code]);
  take(1_024, placeClick, codes);

  const [one, other] = ['busy-1', 'busy-2'].map((code) => take(200, placeClick, [code]));

  expect(sheetsOf(one ?? []).intersection(sheetsOf(other ?? [])).size).toBe(0);
});

test('a hundred quiet links beside a busy one fill eight sheets', () => {
  const placeClick = createClickIds();
  const codes = nameLinks(200).flatMap((code) => [...Array(9).fill('busy'), code]);
  take(1_024, placeClick, codes);

  const others = take(64, placeClick, nameLinks(64));

  expect(sheetsOf(others).size).toBe(8);
});

describe('with four queues', () => {
  const many = nameLinks(400);

  test("all environments send a link's clicks to the same queue", () => {
    const [one, other] = [createClickIds(4), createClickIds(4)];

    const queues = place(400, one, many).map(({ queue }) => queue);

    expect(place(400, other, many).map(({ queue }) => queue)).toEqual(queues);
    expect(new Set(queues)).toEqual(new Set([0, 1, 2, 3]));
  });

  test("a sheet's clicks all go to one queue while the number of links rises and falls", () => {
    const placeClick = createClickIds(4);

    const clicks = [3, 1_000, 3, 1_000].flatMap((links) =>
      place(3_000, placeClick, nameLinks(links)),
    );

    const queuesOfSheet = Map.groupBy(clicks, ({ clickId }) => clickId.split('.')[0]);
    const counts = [...queuesOfSheet.values()].map(
      (onSheet) => new Set(onSheet.map(({ queue }) => queue)).size,
    );
    expect(Math.max(...counts)).toBe(1);
  });

  test('each environment sends a link with half of the clicks to one queue, and together they use two', () => {
    const queuesOfBusy = Array.from({ length: 64 }, () => {
      const placeClick = createClickIds(4);
      takeBusy(1_024, placeClick);
      const [busy = []] = halves(takeBusy(512, placeClick));
      return [...new Set(busy.map(({ queue }) => queue))];
    });

    expect(new Set(queuesOfBusy.map(({ length }) => length))).toEqual(new Set([1]));
    expect(new Set(queuesOfBusy.flat()).size).toBe(2);
  });
});
