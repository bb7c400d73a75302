import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { call } from '../../helpers/http-api.ts';
import { dayOf, isoDay, link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';

const table = useTable(linkVariables, ['ListLinks']);
const output = useOutput();
let handler: typeof import('../../../functions/list-links.ts').handler;

beforeAll(async () => {
  ({ handler } = await import('../../../functions/list-links.ts'));
});

const list = (caller: string, query?: Record<string, string>) =>
  call(handler, { routeKey: 'GET /links', queryStringParameters: query }, caller);

const createdAt = (second: number) =>
  new Date(Date.parse('2026-05-26T10:00:00.000Z') + second * 1_000).toISOString();

/** An owner's link, created at this second of a minute. */
const ownLink = (owner: string, code: string, second: number) => ({
  ...link(code, second),
  owner,
  createdAt: createdAt(second),
});

const ownLinks = (owner: string, count: number) =>
  Array.from({ length: count }, (_, second) => ownLink(owner, `${owner}-${second}`, second));

const codesOf = ({ body }: { body: { links: { code: string }[] } }) =>
  body.links.map(({ code }) => code);

test("has only the caller's links, newest first, with all their fields", async () => {
  await table.put(
    ownLink('anna', 'older', 1),
    { ...ownLink('anna', 'newer', 4), vh: 2, vb: 1, disabled: true, disabledBy: 'operator' },
    ownLink('bert', 'other', 3),
    link('ownerless'),
  );

  const { statusCode, body } = await list('anna');

  const url = 'https://example.com/';
  expect([statusCode, body]).toEqual([
    200,
    {
      links: [
        {
          ...{ code: 'newer', shortUrl: 'https://go.example.com/newer', url },
          ...{ createdAt: createdAt(4), clicks: 4, people: 2, bots: 1, disabled: true },
          disabledBy: 'operator',
        },
        {
          ...{ code: 'older', shortUrl: 'https://go.example.com/older', url },
          ...{ createdAt: createdAt(1), clicks: 1, people: 0, bots: 0, disabled: false },
        },
      ],
    },
  ]);
});

test('comes as CSV too, whose pages make one file and sum to the list', async () => {
  const exported = ownLinks('exporter', 5);
  await table.put(...exported.map((item) => ({ ...item, vh: 1, vb: item.clicks })));
  const pages: { text: string; next?: string }[] = [];
  let query: Record<string, string> | undefined = { format: 'csv', limit: '2' };
  while (query) {
    const { headers, body } = await list('exporter', query);
    const next = /^<(.+)>; rel="next"$/.exec(`${headers.link}`)?.[1];
    pages.push({ text: body, next });
    query =
      next === undefined
        ? undefined
        : Object.fromEntries(new URL(next, 'https://go.example.com').searchParams);
  }

  type Line = Record<'code' | 'clicks' | 'people' | 'bots', string>;
  const lines: Line[] = parse(pages.map(({ text }) => text).join(''), { columns: true });
  const { body } = await list('exporter');
  expect(pages).toHaveLength(3);
  const numbersOf = ({ code, clicks, people, bots }: Line) => [code, +clicks, +people, +bots];
  expect(lines.map(numbersOf)).toEqual(body.links.map(numbersOf));
  expect(lines.map(({ people, bots }) => [people, bots])[0]).toEqual(['1', '4']);
});

test('is logged with its codes and the caller', async () => {
  await table.put(...ownLinks('audited', 2));

  await list('audited');

  expect(output.audits()).toEqual([
    { action: 'listed', sub: 'audited', codes: ['audited-1', 'audited-0'] },
  ]);
});

describe('pages', () => {
  test('contain every link once, in order', async () => {
    await table.put(...ownLinks('carla', 7));

    const first = await list('carla', { limit: '3' });
    const second = await list('carla', { limit: '3', cursor: first.body.cursor });
    const third = await list('carla', { limit: '3', cursor: second.body.cursor });

    expect([first, second, third].map(codesOf)).toEqual([
      ['carla-6', 'carla-5', 'carla-4'],
      ['carla-3', 'carla-2', 'carla-1'],
      ['carla-0'],
    ]);
    expect(third.body).not.toHaveProperty('cursor');
  });

  test('have no cursor if the last one is full', async () => {
    await table.put(...ownLinks('dora', 2));

    expect((await list('dora', { limit: '2' })).body).not.toHaveProperty('cursor');
  });

  test('separate links that were created at the same instant', async () => {
    const links = Array.from({ length: 5 }, (_, index) => ownLink('fritz', `same-${index}`, 7));
    await table.put(...links);

    const codes: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list('fritz', { limit: '2', ...(cursor && { cursor }) });
      codes.push(...codesOf(page));
      cursor = page.body.cursor;
    } while (cursor !== undefined);

    expect(codes.toSorted()).toEqual(['same-0', 'same-1', 'same-2', 'same-3', 'same-4']);
  });
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
])('a cursor that names %s is rejected', async (_, cursor) => {
  await table.put(
    ownLink('gerd', 'gerd-0', 1),
    link('gerd-nobody'),
    ownLink('hanna', 'hanna-0', 1),
  );

  const { statusCode, body } = await list('hanna', { cursor });

  expect([statusCode, body]).toEqual([
    400,
    { message: `expected cursor to be a cursor from an earlier response; got "${cursor}"` },
  ]);
  expect(output.audits()).toEqual([]);
});

describe('a sum', () => {
  const sum = (caller: string, cursor?: string) =>
    call(
      handler,
      { routeKey: 'GET /links/sum', queryStringParameters: cursor ? { cursor } : {} },
      caller,
    );

  test('adds up all links after a page, with the clicks of today', async () => {
    await table.put(...ownLinks('lena', 130), ownLink('other', 'elsewhere', 3));
    await table.put(
      dayOf('lena-2', isoDay(), 2),
      dayOf('lena-60', isoDay(), 5),
      dayOf('lena-60', '2026-05-26', 9),
    );
    const { body: page } = await list('lena', { limit: '30' });

    const all = await sum('lena');
    const older = await sum('lena', page.cursor);

    // 0 + 1 + … + 129, and 0 + 1 + … + 99.
    expect([all.statusCode, all.body]).toEqual([200, { links: 130, clicks: 8_385, today: 7 }]);
    expect(older.body).toEqual({ links: 100, clicks: 4_950, today: 7 });
  });

  test('has a cursor after 1,000 links', async () => {
    await table.put(...ownLinks('mona', 1_002));

    const first = await sum('mona');
    const second = await sum('mona', first.body.cursor);

    expect([first.body.links, second.body.links]).toEqual([1_000, 2]);
    expect(first.body.clicks + second.body.clicks).toBe((1_001 * 1_002) / 2);
    expect(second.body).not.toHaveProperty('cursor');
  });

  test("refuses a cursor from someone else's list, and is zero without links", async () => {
    await table.put(...ownLinks('nora', 3));
    const { body } = await list('nora', { limit: '1' });

    expect((await sum('otto', body.cursor)).statusCode).toBe(400);
    expect((await sum('otto')).body).toEqual({ links: 0, clicks: 0, today: 0 });
  });
});
