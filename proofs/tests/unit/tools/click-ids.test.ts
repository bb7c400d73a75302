import { expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import { clickPlace } from '../../../../lib/clicks/placed-id.ts';
import { createStageIds } from '../../../tools/click-ids.ts';

const mintIds = (environments: number, count: number) => {
  const mint = createStageIds(environments, ['code'], createRandom(1));
  return Array.from({ length: count }, () => mint('code'));
};

test('every id has a place, and no two ids share one', () => {
  const places = mintIds(10, 5_000).map((id) => clickPlace(`CLICK#${id}`));

  expect(places).not.toContain(undefined);
  expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(5_000);
});

test('the ids come from all environments of the stage, which have been running for a while', () => {
  const places = mintIds(100, 2_000).map((id) => clickPlace(`CLICK#${id}`));

  const pages = Map.groupBy(places, (place) => place?.key.PK);
  const firsts = [...pages.values()].map(([first]) => first?.slot);
  expect(pages.size).toBeGreaterThanOrEqual(100);
  expect(new Set(firsts).size).toBeGreaterThan(50);
});
