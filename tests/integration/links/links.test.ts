import { beforeAll, describe, expect, test } from 'vitest';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { call } from '../../helpers/http-api.ts';
import { dayOf, link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';

// link-model.test.ts compares lists, sums and statistics with a model.
const table = useTable(linkVariables, ['ListLinks', 'GetLinkStats']);
const output = useOutput();
const api = {} as {
  list: typeof import('../../../functions/list-links.ts').handler;
  stats: typeof import('../../../functions/get-link-stats.ts').handler;
};

beforeAll(async () => {
  api.list = (await import('../../../functions/list-links.ts')).handler;
  api.stats = (await import('../../../functions/get-link-stats.ts')).handler;
});

const list = (caller: string, query?: Record<string, string>) =>
  call(api.list, { routeKey: 'GET /links', queryStringParameters: query }, caller);

const sum = (caller: string, query?: Record<string, string>) =>
  call(api.list, { routeKey: 'GET /links/sum', queryStringParameters: query }, caller);

const readStats = (code: string, queryStringParameters?: Record<string, string>) =>
  call(api.stats, {
    routeKey: 'GET /links/{code}/stats',
    pathParameters: { code },
    queryStringParameters,
  });

/** An owner's links, created a second apart, with as many clicks as seconds. */
const ownLinks = (owner: string, count: number) =>
  Array.from({ length: count }, (_, second) => ({
    ...{ ...link(`${owner}-${second}`, second), owner },
    createdAt: new Date(Date.parse('2026-05-26T10:00:00Z') + second * 1_000).toISOString(),
  }));

describe('a list', () => {
  test('comes as CSV too, whose pages make one file and sum to the list', async () => {
    const exported = ownLinks('exporter', 5);
    await table.put(...exported.map((item) => ({ ...item, vh: 1, vb: item.clicks })));
    const pages: string[] = [];
    let path: string | undefined = '/links?format=csv&limit=2';
    while (path) {
      const { searchParams } = new URL(path, 'https://go.example.com');
      const { headers, body } = await list('exporter', Object.fromEntries(searchParams));
      [, path] = /^<(.+)>; rel="next"$/.exec(`${headers.link}`) ?? [];
      pages.push(body);
    }

    const csv = pages.join('').split('\n').slice(1, -1);
    const { body } = await list('exporter');
    const links: Record<string, unknown>[] = body.links;
    const lines = links.map(
      ({ code, clicks, people, bots }) => `${code},${clicks},${people},${bots}`,
    );
    expect(pages).toHaveLength(3);
    expect(lines[0]).toBe('exporter-4,4,1,4');
    // Between the code and the numbers are columns that export.test.ts checks.
    expect(csv.map((line) => line.replace(/,.*(?=(,\d+){3}$)/, ''))).toEqual(lines);
    const codes = links.map(({ code }) => code);
    expect(output.audits().at(-1)).toEqual({ action: 'listed', sub: 'exporter', codes });
  });

  test('separates links that were created at the same instant, and ends on a full page', async () => {
    const createdAt = '2026-05-26T10:00:00.000Z';
    await table.put(...ownLinks('fritz', 4).map((item) => ({ ...item, createdAt })));

    const first = await list('fritz', { limit: '2' });
    const second = await list('fritz', { limit: '2', cursor: first.body.cursor });

    const codes = [...first.body.links, ...second.body.links].map(({ code }) => code);
    expect(codes.toSorted()).toEqual(['fritz-0', 'fritz-1', 'fritz-2', 'fritz-3']);
    expect(second.body).not.toHaveProperty('cursor');
  });

  const base64url = (text: string) => Buffer.from(text).toString('base64url');

  test.each([
    ["another owner's link", base64url('gerd-0')],
    ['a link without an owner', base64url('gerd-nobody')],
    ['no link', base64url('gerd-absent')],
    ['no code', base64url('{"PK":"LINK#hanna-0"}')],
    ['nothing', ''],
    ["the caller's link, in base64 with padding", `${base64url('hanna-0')}=`],
    ["the caller's link, followed by another character", `${base64url('hanna-0')}.`],
  ])('refuses a cursor that names %s, and so does a sum', async (_, cursor) => {
    await table.put(...ownLinks('gerd', 1), link('gerd-nobody'), ...ownLinks('hanna', 1));

    const answers = [await list('hanna', { cursor }), await sum('hanna', { cursor })];

    const message = `expected "cursor" to be a cursor from an earlier response; got "${cursor}"`;
    expect(answers).toMatchObject(Array(2).fill({ statusCode: 400, body: { message } }));
    expect(output.audits()).toEqual([]);
  });
});

test('a sum has a cursor after 1,000 links', async () => {
  await table.put(...ownLinks('mona', 1_002));

  const first = await sum('mona');
  const second = await sum('mona', { cursor: first.body.cursor });

  expect([first.body.links, second.body.links]).toEqual([1_000, 2]);
  expect(first.body.clicks + second.body.clicks).toBe((1_001 * 1_002) / 2);
  expect(second.body).not.toHaveProperty('cursor');
});

describe('the statistics', () => {
  test("have people, bots and the other breakdowns of the answer's days, in order", async () => {
    await table.put(
      { ...link('split', 9), vh: 2, vb: 5 },
      { ...dayOf('split', '2026-05-27', 3), vh: 2, vu: 1, dm: 2, du: 1, r01: 3, h09: 2, h10: 1 },
      { ...dayOf('split', '2026-05-25', 4), vb: 4, dd: 4, rd: 4, h00: 4 },
      { ...dayOf('split', '2026-05-26', 2), vh: 1, vb: 1, dd: 1, dm: 1, rd: 2, h09: 2 },
    );

    const { statusCode, headers, body } = await readStats('split', { from: '2026-05-26' });

    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({
      ...{ code: 'split', url: link('split').url, clicks: 9, people: 3, bots: 1 },
      days: [
        { date: '2026-05-26', count: 2, people: 1, bots: 1 },
        { date: '2026-05-27', count: 3, people: 2, bots: 0 },
      ],
      breakdowns: {
        visitor: ['human 3', 'bot 1', 'unknown 1'].map(toValue),
        device: ['mobile 3', 'desktop 1', 'unknown 1'].map(toValue),
        referrer: ['google 3', 'direct 2'].map(toValue),
        hour: ['09 4', '10 1'].map(toValue),
      },
    });
  });

  test.each([
    [{ from: '2026-05-02' }, ['2026-05-02', '2026-05-03']],
    [{ to: '2026-05-02' }, ['2026-05-01', '2026-05-02']],
    [{ from: '2026-05-02', to: '2026-05-02' }, ['2026-05-02']],
    [{ from: '2026-06-01' }, []],
    [{ from: '0000-01-01', to: '9999-12-31' }, ['2026-05-01', '2026-05-02', '2026-05-03']],
  ])('for %j have the days of that range, inclusive, of no other link', async (query, dates) => {
    const days = ['2026-05-01', '2026-05-02', '2026-05-03'];
    await table.put(link('ranged'), ...days.map((day) => dayOf('ranged', day, 1)));
    await table.put(dayOf('ranged2', '2026-05-02', 99));

    const { body } = await readStats('ranged', query);

    expect(body.days).toEqual(dates.map((date) => ({ date, count: 1, people: 0, bots: 0 })));
  });

  test('are complete even if they take several pages', async () => {
    // A page ends at 1 MB, so a few large items make several.
    const days = [1, 2, 3, 4, 5].map((count) => ({ date: `2026-05-0${count}`, count }));
    const note = 'x'.repeat(390_000);
    const items = days.map(({ date, count }) => ({ ...dayOf('paged', date, count), note }));
    await table.put(link('paged'), ...items);

    const { body } = await readStats('paged');

    expect(body.days).toEqual(days.map((day) => ({ ...day, people: 0, bots: 0 })));
  });

  test('of a link without an owner are readable by every user, who is logged', async () => {
    await table.put(link('ownerless'), { ...link('foreign'), owner: 'anna' });

    const answers = [await readStats('ownerless'), await readStats('foreign')];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404]);
    expect(output.audits()).toEqual([{ action: 'read', sub: 'a-user', code: 'ownerless' }]);
  });
});

/** Reads a value of a breakdown, such as "human 3". */
function toValue(text: string) {
  const [name, count] = text.split(' ');
  return { name, count: Number(count) };
}
