import { expect, test } from 'vitest';
import { createStageIds } from '../../../evidence/kit/click-ids.ts';
import { createRandom } from '../../../evidence/kit/random.ts';
import { clickPlace } from '../../../lib/keys.ts';

const mintIds = (environments: number, count: number) => {
  const mint = createStageIds(environments, ['code'], createRandom(1));
  return Array.from({ length: count }, () => mint('code'));
};

const readPlaces = (ids: string[]) =>
  ids.map((id) => {
    const [producer = '', , slot] = id.split('.');
    return { producer, slot: Number(slot) };
  });

test('every id has a place, and no two ids share one', () => {
  const places = mintIds(10, 5_000).map((id) => clickPlace(`CLICK#${id}`));

  expect(places).not.toContain(undefined);
  expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(5_000);
});

test('the ids come from as many environments as the stage has', () => {
  const producers = readPlaces(mintIds(10, 1_000)).map(({ producer }) => producer);

  expect(new Set(producers).size).toBe(10);
});

test('each environment has been running: it goes on from any slot of a page', () => {
  const places = readPlaces(mintIds(100, 10_000));

  const firsts = Object.values(Object.groupBy(places, ({ producer }) => producer)).map(
    (clicks) => clicks?.[0]?.slot ?? Number.NaN,
  );
  expect(new Set(firsts).size).toBeGreaterThan(50);
});
