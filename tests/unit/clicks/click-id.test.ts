import { expect, test, vi } from 'vitest';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { clickSlot, mintSeed } from '../../../lib/clicks/placed-id.ts';

type Source = ReturnType<typeof createClickIds>;

/** Mints ids for clicks on these links in turn. Returns their sheets, too. */
const place = (count: number, placeClick: Source, codes = ['code']) =>
  Array.from({ length: count }, (_, index) => {
    const code = codes[index % codes.length] ?? '';
    const click = placeClick(code);
    return { ...click, code, sheet: click.clickId.split('.')[0] ?? '' };
  });
type Clicks = ReturnType<typeof place>;
const sheetsOf = (clicks: Clicks) => new Set(clicks.map(({ sheet }) => sheet));
const queuesOf = (clicks: Clicks) => clicks.map(({ queue }) => queue);
const nameLinks = (count: number) => Array.from({ length: count }, (_, index) => `link-${index}`);
/** Every other click is on the busy link. */
const withBusy = (links: number) => nameLinks(links).flatMap((code) => ['busy', code]);
const onBusy = ({ code }: { code: string }) => code === 'busy';

test('click ids of one link take the slots of a sheet in order, then those of the next sheet', () => {
  const clicks = place(257, createClickIds());

  const minted = clicks.map(({ clickId }) => clickSlot(`CLICK#${clickId}`)?.index);
  const slots = Array.from({ length: 128 }, (_, slot) => slot);
  expect(minted).toEqual([...slots, ...slots, 0]);
  expect(sheetsOf(clicks).size).toBe(3);
});

test('each sheet has its own random seed, so one sheet reveals nothing about another', () => {
  const mint = vi.fn(mintSeed);

  place(1_280, createClickIds(1, mint));

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
  const counts = [...Map.groupBy(clicks, ({ sheet }) => sheet).values()].map(
    (onSheet) => new Set(queuesOf(onSheet)).size,
  );
  expect(Math.max(...counts)).toBe(1);
});

test('clicks on many links fill eight sheets in parallel, and all environments group the links alike', () => {
  const groups = [createClickIds(), createClickIds()].map((placeClick, skipped) => {
    // Their sheets have different slots left.
    place(skipped, placeClick, ['link-399']);
    const bySheet = Map.groupBy(place(400, placeClick, nameLinks(400)), ({ sheet }) => sheet);
    return [...bySheet.values()].map((group) => group.map(({ code }) => code).join()).toSorted();
  });

  expect(groups[0]).toHaveLength(8);
  expect(groups[0]).toEqual(groups[1]);
});

test.each([
  [1, 129],
  [2, 17],
])(
  'with %i queues, a busy link has its own sheet from click %i on, until it is no longer busy',
  (queues, from) => {
    const placeClick = createClickIds(queues);
    const clicks = place(3_000, placeClick, withBusy(1_500));

    const countShared = (some: Clicks) => {
      const { true: busy = [], false: others = [] } = Object.groupBy(
        some,
        (one) => `${onBusy(one)}`,
      );
      return sheetsOf(busy).intersection(sheetsOf(others)).size;
    };
    expect(countShared(clicks.slice(0, 2 * (from - 1)))).toBeGreaterThan(0);
    expect(countShared(clicks.slice(2 * (from - 1)))).toBe(0);
    place(2_048, placeClick, nameLinks(400));
    expect(countShared(place(128, placeClick, ['busy', ...nameLinks(63)]))).toBe(1);
  },
);
