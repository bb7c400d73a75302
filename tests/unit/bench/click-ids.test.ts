import { expect, test } from 'vitest';
import { createStageIds } from '../../../evidence/bench/click-ids.ts';
import { createRandom } from '../../../evidence/kit/random.ts';
import { clickPlace } from '../../../lib/keys.ts';

const mintIds = (environments: number, count: number) => {
  const mint = createStageIds(environments, createRandom(1));
  return Array.from({ length: count }, mint);
};

/** The number, within its environment's clicks, of each click. */
const readPositions = (ids: string[]) =>
  ids.map((id) => {
    const [producer = '', page, slot] = id.split('.');
    return { producer, position: Number(page) * 128 + Number(slot) };
  });

test('every id has a place, and no two ids share one', () => {
  const places = mintIds(10, 5_000).map((id) => clickPlace(`CLICK#${id}`));

  expect(places).not.toContain(undefined);
  expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(5_000);
});

test('the ids come from as many environments as the stage has', () => {
  const producers = readPositions(mintIds(10, 1_000)).map(({ producer }) => producer);

  expect(new Set(producers).size).toBe(10);
});

test('each environment has been running: it goes on from any slot of a page', () => {
  const positions = readPositions(mintIds(100, 10_000));

  const firsts = Object.values(Object.groupBy(positions, ({ producer }) => producer)).map(
    (clicks) => clicks?.[0]?.position ?? Number.NaN,
  );
  expect(firsts.every((first) => first >= 0 && first < 128)).toBe(true);
  expect(new Set(firsts).size).toBeGreaterThan(50);
});
