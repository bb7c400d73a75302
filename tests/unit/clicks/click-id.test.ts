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

test('a source opens no sheet before its first id', () => {
  const mint = vi.fn(mintSeed);

  const mintId = createClickIds(1, mint);

  expect(mint).not.toHaveBeenCalled();
  take(129, mintId);
  // One for its choice of queues, and one for each sheet.
  expect(mint).toHaveBeenCalledTimes(3);
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

test('an environment estimates its links from the last 1,024 ids only', () => {
  const mintId = createClickIds();
  take(1_024, mintId, nameLinks(400));
  take(1_024, mintId, nameLinks(64));

  expect(sheetsOf(take(64, mintId, nameLinks(64))).size).toBe(1);
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

  test('an environment with few links sends their clicks to one queue', () => {
    const placeClick = createClickIds(4);
    take(1_024, placeClick, nameLinks(3));

    const queues = place(300, placeClick, nameLinks(3)).map(({ queue }) => queue);

    expect(new Set(queues).size).toBe(1);
  });
});

test('environments with few links spread them over all queues', () => {
  const queues = Array.from({ length: 64 }, () => {
    const placeClick = createClickIds(4);
    take(1_024, placeClick, nameLinks(3));
    return placeClick('link-0').queue;
  });

  expect(new Set(queues)).toEqual(new Set([0, 1, 2, 3]));
});
