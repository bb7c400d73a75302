import { beforeAll, describe, expect, test } from 'vitest';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { call, forgedHeaders } from '../../helpers/http-api.ts';
import { dayOf, link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';

const url = 'https://example.com/a?b=c';
const table = useTable(linkVariables, ['CreateLink', 'GetLinkStats']);
const output = useOutput();
const api = {} as {
  create: typeof import('../../../functions/create-link.ts').handler;
  stats: typeof import('../../../functions/get-link-stats.ts').handler;
};

beforeAll(async () => {
  api.create = (await import('../../../functions/create-link.ts')).handler;
  api.stats = (await import('../../../functions/get-link-stats.ts')).handler;
});

const create = (body: object) =>
  call(api.create, {
    ...{ routeKey: 'POST /links', headers: forgedHeaders, body: JSON.stringify(body) },
  });

const readStats = (code: string, queryStringParameters?: Record<string, string>) =>
  call(api.stats, {
    routeKey: 'GET /links/{code}/stats',
    pathParameters: { code },
    queryStringParameters,
  });

const readItem = (code: string) => table.get(`LINK#${code}`, 'META');

describe('creating a link', () => {
  test("stores it with its time, and answers with the stage's address, even with forged host headers", async () => {
    const before = new Date().toISOString();

    const answer = await create({ url, code: 'stored_1' });

    expect(answer).toMatchObject({
      statusCode: 201,
      body: { code: 'stored_1', shortUrl: 'https://go.example.com/stored_1', url },
    });
    const item = await readItem('stored_1');
    expect(item).toEqual({
      PK: 'LINK#stored_1',
      SK: 'META',
      url,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      clicks: 0,
      owner: 'a-user',
    });
    expect(item?.createdAt >= before).toBe(true);
  });

  test('mints a code of 7 letters and digits if the caller gives none, and stores an expiry', async () => {
    const expiresAt = '2035-01-01T00:00:00.000Z';

    const { statusCode, body } = await create({ url, expiresAt });

    expect([statusCode, body.expiresAt]).toEqual([201, expiresAt]);
    expect(body.code).toMatch(/^[A-Za-z0-9]{7}$/);
    expect(body.shortUrl).toBe(`https://go.example.com/${body.code}`);
    expect(await readItem(body.code)).toMatchObject({ url, expiresAt });
    expect(await readItem('undefined')).toBeUndefined();
  });

  test('rejects a taken code and leaves its link unchanged', async () => {
    await create({ url, code: 'taken' });

    const answer = await create({ url: 'https://other.example/', code: 'taken' });

    expect(answer).toMatchObject({
      statusCode: 409,
      body: { message: 'The back-half taken is taken. Choose another one, or leave it out.' },
    });
    expect(await readItem('taken')).toMatchObject({ url });
  });

  test('protects a lower-case code from others that differ only in capital letters', async () => {
    await create({ url, code: 'looks-alike' });

    const answers = [
      await create({ url: 'https://other.example/', code: 'Looks-Alike' }),
      await create({ url: 'https://other.example/', code: 'Looks-Alone' }),
      await create({ url: 'https://other.example/', code: 'looks-alone' }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 201, 201]);
    expect(await readItem('Looks-Alike')).toBeUndefined();
  });

  test('treats codes as case-sensitive', async () => {
    await create({ url, code: 'CaseD' });

    expect((await create({ url, code: 'cased' })).statusCode).toBe(201);
  });

  test('gives a code to exactly one of several concurrent callers', async () => {
    const urls = Array.from({ length: 10 }, (_, caller) => `https://example.com/${caller}`);

    const answers = await Promise.all(urls.map((each) => create({ url: each, code: 'race' })));

    const [winner, ...others] = answers.filter(({ statusCode }) => statusCode === 201);
    expect(others).toEqual([]);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9);
    expect(await readItem('race')).toMatchObject({ url: winner?.body.url });
  });
});

describe('the statistics', () => {
  test('of a new link are zero', async () => {
    await create({ url, code: 'fresh' });

    expect(await readStats('fresh')).toMatchObject({
      statusCode: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      },
      body: {
        ...{ code: 'fresh', shortUrl: 'https://go.example.com/fresh', url, disabled: false },
        ...{ createdAt: expect.any(String), clicks: 0, people: 0, bots: 0, days: [] },
        breakdowns: { visitor: [], device: [], referrer: [], hour: [] },
      },
    });
  });

  test('of a link have its own clicks and days, in order', async () => {
    await table.put(
      { ...link('counted', 6), url },
      dayOf('counted', '2026-05-27', 2),
      dayOf('counted', '2025-12-31', 1),
      dayOf('counted', '2026-05-26', 3),
      dayOf('counted2', '2026-05-26', 99),
    );

    expect((await readStats('counted')).body).toMatchObject({
      code: 'counted',
      url,
      clicks: 6,
      days: [
        { date: '2025-12-31', count: 1 },
        { date: '2026-05-26', count: 3 },
        { date: '2026-05-27', count: 2 },
      ],
    });
  });

  test("have people, bots and the other breakdowns of the answer's days", async () => {
    await table.put(
      link('split', 9),
      { ...dayOf('split', '2026-05-25', 4), vb: 4, dd: 4, rd: 4, h00: 4 },
      { ...dayOf('split', '2026-05-26', 2), vh: 1, vb: 1, dd: 1, dm: 1, rd: 2, h09: 2 },
      { ...dayOf('split', '2026-05-27', 3), vh: 2, vu: 1, dm: 2, du: 1, r01: 3, h09: 2, h10: 1 },
    );

    expect((await readStats('split', { from: '2026-05-26' })).body).toMatchObject({
      ...{ code: 'split', url: link('split').url, clicks: 9, people: 3, bots: 1 },
      days: [
        { date: '2026-05-26', count: 2, people: 1, bots: 1 },
        { date: '2026-05-27', count: 3, people: 2, bots: 0 },
      ],
      breakdowns: {
        visitor: [
          { name: 'human', count: 3 },
          { name: 'bot', count: 1 },
          { name: 'unknown', count: 1 },
        ],
        device: [
          { name: 'mobile', count: 3 },
          { name: 'desktop', count: 1 },
          { name: 'unknown', count: 1 },
        ],
        referrer: [
          { name: 'google', count: 3 },
          { name: 'direct', count: 2 },
        ],
        hour: [
          { name: '09', count: 4 },
          { name: '10', count: 1 },
        ],
      },
    });
  });

  test.each([
    [{ from: '2026-05-02' }, ['2026-05-02', '2026-05-03']],
    [{ to: '2026-05-02' }, ['2026-05-01', '2026-05-02']],
    [{ from: '2026-05-02', to: '2026-05-02' }, ['2026-05-02']],
    [{ from: '2026-06-01' }, []],
    [{ from: '0000-01-01', to: '9999-12-31' }, ['2026-05-01', '2026-05-02', '2026-05-03']],
  ])('for %j have the days of that range, inclusive', async (query, dates) => {
    await create({ url, code: 'ranged' });
    const days = ['2026-05-01', '2026-05-02', '2026-05-03'];
    await table.put(...days.map((day) => dayOf('ranged', day, 1)));

    const { statusCode, body } = await readStats('ranged', query);

    expect(statusCode).toBe(200);
    expect(body.days).toEqual(dates.map((date) => ({ date, count: 1, people: 0, bots: 0 })));
  });

  test('are complete even if they take several pages', async () => {
    // A page ends at 1 MB, so a few large items make several.
    const days = [1, 2, 3, 4, 5].map((count) => ({ date: `2026-05-0${count}`, count }));
    await create({ url, code: 'paged' });
    const note = 'x'.repeat(390_000);
    await table.put(...days.map(({ date, count }) => ({ ...dayOf('paged', date, count), note })));

    const { body } = await readStats('paged');

    expect(body.days).toEqual(days.map((day) => ({ ...day, people: 0, bots: 0 })));
  });

  test("of another owner's link look like those of an unknown link, even if it has days, and are not logged", async () => {
    await table.put(
      { ...link('foreign', 1), owner: 'anna' },
      ...['foreign', 'missing'].map((code) => dayOf(code, '2026-05-26', 1)),
    );

    const foreign = await readStats('foreign');
    const unknown = await readStats('missing');

    expect(foreign).toEqual({
      ...unknown,
      body: { message: 'There is no link with the code "foreign".' },
    });
    expect(foreign.statusCode).toBe(404);
    expect(output.audits()).toEqual([]);
  });

  test('of a link without an owner are readable by every user, who is logged', async () => {
    await table.put(link('ownerless'));

    expect((await readStats('ownerless')).statusCode).toBe(200);
    expect(output.audits()).toEqual([{ action: 'read', sub: 'a-user', code: 'ownerless' }]);
  });
});
