import { describe, expect, test } from 'vitest';
import { lines, mapLines } from '../../../lib/links/rules/link-fields.ts';
import { maxUrlLength } from '../../../lib/links/rules/text-schemas.ts';
import { useApi } from '../../helpers/api.ts';
import { dayOf, isoDay, link } from '../../helpers/items.ts';

// link-model.test.ts compares lists and statistics with a model.
const { table, output, send } = useApi(['ListLinks', 'GetLinkStats']);

/** An owner's links, created a second apart, with as many clicks as seconds. */
const ownLinks = (owner: string, count: number) =>
  Array.from({ length: count }, (_, second) => ({
    ...link(`${owner}-${second}`, second),
    owner,
    createdAt: new Date(Date.parse('2026-05-26T10:00:00Z') + second * 1_000).toISOString(),
  }));

/** The longest texts that a link may have, in characters of three bytes where it may have them. */
function longestTexts(name: string) {
  return {
    url: `https://example.com/${name}`.padEnd(maxUrlLength, 'x'),
    ...mapLines((line) => '見'.repeat(lines[line].most)),
    tags: Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(50, '見')),
  };
}

describe('a list', () => {
  test('comes as CSV too, whose pages make one file and sum to the list', async () => {
    const exported = ownLinks('exporter', 6);
    await table.put(...exported.map((item) => ({ ...item, vh: 1, vb: item.clicks })));
    const pages: string[] = [];
    let path: string | undefined = '/links?format=csv&limit=2';
    while (path) {
      const { headers, body } = await send('exporter', `GET ${path}`);
      [, path] = /^<(.+)>; rel="next"$/.exec(`${headers.link}`) ?? [];
      pages.push(body);
    }

    // Between the code and the numbers are columns that day-export.test.ts checks.
    const csv = pages
      .join('')
      .replaceAll(/^([\w-]+),.*(?=(,\d+){3}$)/gm, '$1')
      .split('\n');
    const codes = [5, 4, 3, 2, 1, 0].map((second) => `exporter-${second}`);
    expect(pages).toHaveLength(3);
    expect(csv.slice(1, -1)).toEqual(
      codes.map((code, index) => `${code},${5 - index},1,${5 - index}`),
    );
    const { body } = await send('exporter', 'GET /links');
    expect(body.links.map(({ code }: { code: string }) => code)).toEqual(codes);
    expect(output.audits().at(-1)).toEqual({ action: 'listed', sub: 'exporter', codes });
  });

  test('of 1,000 links and their clicks of today is a page, compressed for browsers', async () => {
    await table.put(...ownLinks('mona', 1_002), dayOf('mona-1001', isoDay(), 7));
    await table.put(dayOf('mona-1000', '2026-05-26', 9));

    const headers = { 'accept-encoding': 'gzip' };
    const first = await send('mona', 'GET /links?limit=1000', { headers });
    const second = await send('mona', `GET /links?limit=1000&cursor=${first.body.cursor}`);

    expect(first.headers['content-encoding']).toBe('gzip');
    const clicks = [first, second].map(({ body }) =>
      body.links.map((link: { clicks: number }) => link.clicks),
    );
    expect(clicks.flat()).toEqual(Array.from({ length: 1_002 }, (_, index) => 1_001 - index));
    expect(clicks[1]).toHaveLength(2);
    const today = { date: isoDay(), people: 0, bots: 0 };
    expect(first.body.links.slice(0, 2)).toMatchObject([
      { code: 'mona-1001', today: { ...today, count: 7 } },
      { code: 'mona-1000', today: { ...today, count: 0 } },
    ]);
  });

  test('of the longest texts comes in pages of at most 1 MB, with each link once', async () => {
    const items = ownLinks('lena', 1_000).map((item) => ({ ...item, ...longestTexts(item.PK) }));
    await table.put(...items);
    const sizes: number[] = [];
    const codes: string[] = [];
    let cursor: string | undefined;
    do {
      const next = cursor === undefined ? '' : `&cursor=${cursor}`;
      const { body } = await send('lena', `GET /links?limit=1000${next}`);
      sizes.push(Buffer.byteLength(JSON.stringify(body)));
      codes.push(...body.links.map(({ code }: { code: string }) => code));
      ({ cursor } = body);
    } while (cursor !== undefined);

    expect(Math.max(...sizes)).toBeLessThan(1_000_200);
    expect(sizes.length).toBeLessThan(10);
    expect(codes).toEqual(items.map(({ PK }) => PK.slice('LINK#'.length)).toReversed());
  });

  const base64url = (text: string) => Buffer.from(text).toString('base64url');

  test.each([
    ["another owner's link", base64url('gerd-0')],
    ['no link', base64url('gerd-absent')],
    ['no code', base64url('{"PK":"LINK#hanna-0"}')],
    ["the caller's link, followed by another character", `${base64url('hanna-0')}.`],
  ])('rejects a cursor that names %s', async (_, cursor) => {
    await table.put(...ownLinks('gerd', 1), ...ownLinks('hanna', 1));

    const { statusCode, body } = await send('hanna', `GET /links?cursor=${cursor}`);

    const message = `expected "cursor" to be a cursor from an earlier response; got "${cursor}"`;
    expect(statusCode).toBe(400);
    expect(body).toEqual({ message });
    expect(output.audits()).toEqual([]);
  });
});

describe('the statistics', () => {
  test("have people, bots and the other breakdowns of the answer's days, in order", async () => {
    await table.put(
      { ...link('split', 9), vh: 2, vb: 5 },
      { ...dayOf('split', '2026-05-27', 3), vh: 2, vu: 1, dm: 2, du: 1, r1: 3, h09: 2, h10: 1 },
      { ...dayOf('split', '2026-05-25', 4), vb: 4, dd: 4, rd: 4, h00: 4 },
      { ...dayOf('split', '2026-05-26', 2), vh: 1, vb: 1, dd: 1, dm: 1, rd: 2, h09: 2 },
      dayOf('split2', '2026-05-26', 99),
    );
    const path = 'GET /links/split/stats';

    const { statusCode, headers, body } = await send('ada', `${path}?from=2026-05-26`);

    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({
      code: 'split',
      url: link('split').url,
      clicks: 9,
      people: 3,
      bots: 1,
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
    const { days } = (await send('ada', `${path}?to=2026-05-26`)).body;
    expect(days[0].date).toBe('2026-05-25');
    expect(days.length).toBe(2);
  });

  test('of a link without an owner are readable by every user, who is logged', async () => {
    await table.put(link('ownerless'), { ...link('foreign'), owner: 'anna' });

    expect(await send('ada', 'GET /links/ownerless/stats')).toMatchObject({ statusCode: 200 });
    expect(await send('ada', 'GET /links/foreign/stats')).toMatchObject({ statusCode: 404 });
    expect(output.audits()).toEqual([{ action: 'read', sub: 'ada', code: 'ownerless' }]);
  });
});

/** Reads a value of a breakdown, such as "human 3". */
function toValue(text: string) {
  const [name, count] = text.split(' ');
  return { name, count: Number(count) };
}
