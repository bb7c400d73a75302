import { expect, test } from 'vitest';
import { useApi } from '../../helpers/api.ts';
import { brokenDownDay, link, sketchItem } from '../../helpers/items.ts';

const { table, send } = useApi(['GetLinkStats']);

const readStats = async (query = '') => (await send('ada', `GET /links/seen/stats${query}`)).body;

test('a period counts somebody who returns once, and says since when visitors are known', async () => {
  await table.put(
    { ...link('seen', 9), vh: 9 },
    brokenDownDay('seen', '2026-05-24', 2, { vh: 2 }),
    brokenDownDay('seen', '2026-05-25', 4, { vh: 4 }),
    brokenDownDay('seen', '2026-05-26', 3, { vh: 3 }),
    sketchItem('seen', '2026-05-25', [1, 2, 3]),
    sketchItem('seen', '2026-05-26', [2, 3]),
  );

  const all = await readStats();
  const known = await readStats('?from=2026-05-25');
  const unknown = await readStats('?to=2026-05-24');

  expect(all).toMatchObject({ visitors: 3, visitorsSince: '2026-05-25' });
  expect(all.days.map((day: { visitors?: number }) => day.visitors)).toEqual([undefined, 3, 2]);
  expect(known.visitors).toBe(3);
  expect(known).not.toHaveProperty('visitorsSince');
  expect(unknown).not.toHaveProperty('visitors');
  expect(unknown).not.toHaveProperty('visitorsSince');
});

test('there are never more visitors than clicks by people, and a sketch of a newer version has none', async () => {
  await table.put(
    brokenDownDay('seen', '2026-05-25', 2, { vh: 2 }),
    sketchItem('seen', '2026-05-25', [1, 2, 3]),
    { ...sketchItem('seen', '2026-05-26', []), sketch: Uint8Array.of(9) },
  );

  const { visitors, days } = await readStats('?from=2026-05-25');

  expect(visitors).toBe(2);
  expect(days.map((day: { visitors?: number }) => day.visitors)).toEqual([2, undefined]);
});
