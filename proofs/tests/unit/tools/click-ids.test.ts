import { expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import { clickSlot } from '../../../../lib/clicks/placed-id.ts';
import { createStageIds } from '../../../tools/click-ids.ts';

const mintIds = (environments: number, count: number) => {
  const mint = createStageIds(environments, ['code'], createRandom(1));
  return Array.from({ length: count }, () => mint('code'));
};

test('every id has its own slot', () => {
  const slots = mintIds(10, 5_000).map((id) => clickSlot(`CLICK#${id}`));

  expect(slots).not.toContain(undefined);
  expect(new Set(slots.map((slot) => JSON.stringify(slot))).size).toBe(5_000);
});

test("the ids come from all of the stage's environments, in the middle of their sheets", () => {
  const slots = mintIds(100, 2_000).map((id) => clickSlot(`CLICK#${id}`));

  const sheets = Map.groupBy(slots, (slot) => slot?.sheetKey.PK);
  const firsts = [...sheets.values()].map(([first]) => first?.index);
  expect(sheets.size).toBeGreaterThanOrEqual(100);
  expect(new Set(firsts).size).toBeGreaterThan(50);
});
