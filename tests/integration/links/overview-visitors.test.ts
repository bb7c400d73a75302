import { beforeEach, expect, test, vi } from 'vitest';
import { readVisitors } from '../../../lib/overview/visitors.ts';
import { useApi } from '../../helpers/api.ts';
import { brokenDownDay, type Item, isoDay, link, sketchItem } from '../../helpers/items.ts';

const { table, send } = useApi(['GetOverview']);

const farMs = Number.POSITIVE_INFINITY;
const ago = (days: number) => isoDay(Date.now() - days * 86_400_000);
const rangeOf = (from: number, to: number) => `from=${ago(from)}&to=${ago(to)}`;

/** A link's day that these visitors followed it, each with two clicks. */
function dayOf(code: string, daysAgo: number, visitors: number[]): Item[] {
  const people = visitors.length * 2;
  return [
    brokenDownDay(code, ago(daysAgo), people, { vh: people }),
    sketchItem(code, ago(daysAgo), visitors),
  ];
}

const ofUser = (code: string, owner: string, people: number, tags?: string[]) => ({
  ...link(code, people),
  vh: people,
  owner,
  tags,
});

const read = async (user: string, query: string) =>
  (await send(user, `GET /links/overview?${query}&visitors=true`)).body;

beforeEach(() =>
  table.put(
    ofUser('spring', 'vera', 14, ['poster']),
    ofUser('autumn', 'vera', 6, ['poster']),
    ofUser('winter', 'vera', 4),
    ...dayOf('spring', 1, [1, 2, 3]),
    ...dayOf('spring', 2, [1, 2]),
    ...dayOf('spring', 5, [4, 9]),
    ...dayOf('autumn', 1, [3, 4]),
    ...dayOf('autumn', 2, [1]),
    ...dayOf('winter', 1, [7, 8]),
  ),
);

test('the visitors of a tag are a union over its links and days, compared with the period before', async () => {
  const tagged = await read('vera', `${rangeOf(3, 1)}&tag=poster&compare=before`);

  expect(tagged).toMatchObject({ people: 16, visitors: 4 });
  expect(tagged).not.toHaveProperty('visitorsSince');
  expect(tagged.comparison.current.visitors).toBe(4);
  expect(tagged.comparison.before.visitors).toBe(2);
  expect(tagged.links).toMatchObject([
    { code: 'spring', visitors: 3 },
    { code: 'autumn', visitors: 3 },
  ]);
  expect(await read('vera', rangeOf(3, 1))).toMatchObject({ visitors: 6 });
  expect(await read('vera', rangeOf(40, 30))).toMatchObject({ people: 0, visitors: 0 });
});

test('a link that another user is given takes its visitors along', async () => {
  await table.put(ofUser('winter', 'will', 4));

  expect(await read('will', rangeOf(3, 1))).toMatchObject({ people: 4, visitors: 2 });
});

test('a range from before visitors has those since a day, and a period before isn’t compared with a part', async () => {
  await table.put(
    ofUser('upgraded', 'uma', 15),
    brokenDownDay('upgraded', ago(5), 9, { vh: 9 }),
    ...dayOf('upgraded', 4, [3]),
    ...dayOf('upgraded', 2, [1, 2]),
  );

  const body = await read('uma', `${rangeOf(3, 1)}&compare=before`);
  const longer = await read('uma', rangeOf(6, 1));

  expect(body.comparison.current.visitors).toBe(2);
  expect(body.comparison.before).not.toHaveProperty('visitors');
  expect(longer).toMatchObject({ visitors: 3, visitorsSince: ago(4) });
});

test('more than 30,000 days of links with people have no visitors instead of a part of them', async () => {
  const days = Array.from({ length: 301 }, (_, index) => ({
    date: isoDay(index * 86_400_000),
    count: 1,
    people: 1,
    bots: 0,
  }));
  const links = Array.from({ length: 100 }, (_, number) => ({ code: `many-${number}`, days }));
  const access = { client: table.database, tableName: table.tableName };
  const read = (to: number) =>
    readVisitors(access, links, { range: { from: isoDay(0), to: isoDay(to * 86_400_000) } }, farMs);

  expect((await read(300)).range).toEqual({
    unreadVisitors: { linkDays: 30_100, maxLinkDays: 30_000 },
  });
  expect((await read(1)).range).toEqual({ visitors: undefined });
  expect(
    await readVisitors(access, links, { range: { from: isoDay(0), to: isoDay(0) } }, 0),
  ).toEqual(
    expect.objectContaining({ range: { unreadVisitors: { linkDays: 100, maxLinkDays: 30_000 } } }),
  );
});

test('a stage that turned visitors off shows none of those from before', async () => {
  vi.stubEnv('COUNT_VISITORS', 'false');
  vi.resetModules();
  const stats = (await send('vera', 'GET /links/spring/stats')).body;

  const overview = await read('vera', rangeOf(3, 1));

  expect(stats).not.toHaveProperty('visitors');
  expect(stats.days[0]).not.toHaveProperty('visitors');
  expect(overview).toMatchObject({ people: 20 });
  expect(overview).not.toHaveProperty('visitors');
});
