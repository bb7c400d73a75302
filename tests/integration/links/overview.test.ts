import { beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/days.ts';
import { useApi } from '../../helpers/api.ts';
import { campaignItems, isoDay, link } from '../../helpers/items.ts';
import {
  addUp,
  ago,
  isGerman,
  makeDay,
  makeManyLinks,
  type Sent,
  type Sums,
} from '../../helpers/many-links.ts';

const { table, send } = useApi(['GetOverview']);

const today = isoDay();
const rangeOf = (from: number, to: number) => `from=${ago(from)}&to=${ago(to)}`;
// More than a request can ask for. tests/browser compares the numbers of 500 links.
const linkCount = 150;
const { items, sent } = makeManyLinks('anna', linkCount);

/** What was sent between two days, by their numbers of days ago. */
function sentWithin(from: number, to: number): Sent[] {
  return sent.filter(({ daysAgo }) => daysAgo <= from && daysAgo >= to);
}

beforeAll(async () => {
  const foreign = { code: 'foreign', daysAgo: 1, clicks: 9, people: 9, bots: 0 };
  await table.put(
    ...items,
    ...[{ ...link('foreign', 9), owner: 'ben', vh: 9 }, makeDay(foreign)],
    ...[{ ...link('deleted', 9), owner: 'DELETED#anna', vh: 9 }],
    makeDay({ ...foreign, code: 'deleted' }),
  );
});

/** Repeats a request until there was time to read all links. */
async function read(caller: string, query: string) {
  for (;;) {
    const answer = await send(caller, `GET /links/overview?${query}`);
    expect(answer.statusCode).toBe(200);
    const { oldLinks, values, unread = values?.unread } = answer.body;
    if (oldLinks === 0 && !unread?.links) return answer.body;
  }
}

describe('an overview of 150 links over 60 days', () => {
  test('sums what was sent to all links, by day, by link and by country', async () => {
    const body = await read('anna', `${rangeOf(29, 0)}&values=true`);

    const expected = sentWithin(29, 0);
    expect(body).toMatchObject({ ...addUp(expected), chosenLinks: linkCount, oldLinks: 0 });
    for (const { date, count, people, bots } of body.days) {
      const ofDay = expected.filter(({ daysAgo }) => ago(daysAgo) === date);
      expect({ clicks: count, people, bots }).toEqual(addUp(ofDay));
    }
    expect(body.days).toHaveLength(30);
    for (const { code, clicks, people, bots } of body.links) {
      const ofLink = expected.filter((row) => row.code === code);
      expect({ clicks, people, bots }).toEqual(addUp(ofLink));
    }
    const people = body.links.map((one: Sums) => one.people);
    expect(people).toEqual(people.toSorted((a: number, b: number) => b - a));
    expect(body.values.unread).toEqual({ links: 0, clicks: 0 });
    const american = addUp(expected.filter(({ code }) => !isGerman(code)));
    const german = addUp(expected.filter(({ code }) => isGerman(code)));
    expect(body.values.breakdowns.country).toEqual([
      { name: 'US', count: american.clicks - american.bots },
      { name: 'bot', count: addUp(expected).bots },
      { name: 'DE', count: german.people },
    ]);
  });

  test('compares a week without today with the week before, and writes out both', async () => {
    const body = await read('anna', `${rangeOf(7, 0)}&compare=before`);

    expect(body.comparison).toEqual({
      current: { from: ago(7), to: ago(1), ...addUp(sentWithin(7, 1)) },
      before: { from: ago(14), to: ago(8), ...addUp(sentWithin(14, 8)) },
    });
    expect(body).toMatchObject(addUp(sentWithin(7, 0)));
  });

  test('of today alone has nothing to compare', async () => {
    const body = await read('anna', `${rangeOf(0, 0)}&compare=before`);

    expect(body.comparison).toBeUndefined();
    expect(body).toMatchObject({ from: today, ...addUp(sentWithin(0, 0)) });
  });

  test.each<[string, (row: Sent) => boolean]>([
    ['tag=spring', ({ isTagged }) => isTagged],
    ['code=link-7', ({ code }) => code === 'link-7'],
    ['search=7%20STRASSE%20link-14', ({ code }) => code === 'link-147'],
    ['search=foreign', () => false],
    // As the page's search: a pasted short link finds one link, and a state is a word.
    ['search=https%3A%2F%2Fgo.example.com%2Flink-4%3Fa%3Db', ({ code }) => code === 'link-4'],
    ['search=active%20link-149', ({ code }) => code === 'link-149'],
    ['search=disabled', () => false],
  ])('with %s sums only what was sent to these links', async (choice, isChosen) => {
    const body = await read('anna', `${rangeOf(59, 0)}&${choice}`);

    const expected = sent.filter(isChosen);
    expect(body).toMatchObject(addUp(expected));
    expect(body.chosenLinks).toBe(new Set(expected.map(({ code }) => code)).size);
  });

  test.each<[string, (row: Sent) => boolean]>([
    ['', () => true],
    ['&tag=spring', ({ isTagged }) => isTagged],
  ])(
    'from one country%s sums only these clicks by people, because a bot has no country',
    async (choice, isChosen) => {
      const query = `${rangeOf(6, 0)}&compare=before${choice}&filter=country%3ADE&values=true`;
      const body = await read('anna', query);

      const clicksOf = (from: number, to: number) => {
        const rows = sentWithin(from, to).filter((row) => isGerman(row.code) && isChosen(row));
        const { people } = addUp(rows);
        return { clicks: people, people, bots: 0 };
      };
      expect(body).toMatchObject({ ...clicksOf(6, 0), unread: { links: 0, clicks: 0 } });
      expect(body.values).toBeUndefined();
      expect(body.comparison.current).toMatchObject(clicksOf(6, 1));
      expect(body.comparison.before).toMatchObject(clicksOf(12, 7));
      for (const { date, count, people, bots } of body.days) {
        const daysAgo = (Date.parse(today) - Date.parse(date)) / dayMs;
        expect({ clicks: count, people, bots }).toEqual(clicksOf(daysAgo, daysAgo));
      }
      expect(body.links.every(({ code }: { code: string }) => isGerman(code))).toBe(true);
    },
  );

  test('from one country has clicks by people or by bots on days that do not tell which', async () => {
    const body = await read('anna', `${rangeOf(55, 50)}&filter=country%3AUS`);

    const american = sentWithin(55, 50).filter(({ code }) => !isGerman(code));
    const { clicks } = addUp(american);
    expect(body).toMatchObject({ clicks, people: 0, bots: 0 });
  });

  test.each(['foreign', 'deleted', 'unknown'])('of the link %s is not found', async (code) => {
    const path = `GET /links/overview?${rangeOf(59, 0)}&code=${code}`;
    expect(await send('anna', path)).toMatchObject({ statusCode: 404 });
  });

  test('as CSV has the same numbers, a line each', async () => {
    const query = `${rangeOf(29, 0)}&compare=before&values=true`;
    const json = await read('anna', query);

    const { body } = await send('anna', `GET /links/overview?${query}&format=csv`);

    const [head, ...lines] = body.split('\n');
    const { clicks, people, bots } = addUp(sentWithin(29, 0));
    const range = `${ago(29)},${today}`;
    const best = json.links[0];
    expect(head).toBe(
      '\ufeffpart,name,from,to,clicks,clicks by people,clicks by bots,visitors (estimated)',
    );
    expect(lines).toContain(`total,all links,${range},${clicks},${people},${bots},`);
    const before = addUp(sentWithin(58, 30));
    expect(lines).toContain(
      `compared,before,${ago(58)},${ago(30)},${before.clicks},${before.people},${before.bots},`,
    );
    expect(lines).toContain(
      `link,${best.code},${range},${best.clicks},${best.people},${best.bots},`,
    );
    expect(lines.filter((line: string) => line.startsWith('day,'))).toHaveLength(30);
    const ofBots = `country,bot,${range},${bots},0,${bots},`;
    expect(lines).toContain(ofBots);
  });
});

test('campaigns of several links are summed, and people are told apart', async () => {
  const day = ago(1);
  const ofLink = (code: string, counts: Record<string, number>) => [
    { ...link(code, 10), owner: 'carla', vh: 10 },
    { PK: `LINK#${code}`, SK: `STAT#${day}`, count: 10, vh: 10, utm: 10 },
    ...campaignItems(code, day, { utm_source: counts }),
  ];
  const [meta = {}, stat = {}, counters = {}, ...values] = ofLink('told', { mail: 6, poster: 4 });
  const told = { ...counters, S0: 5, S1: 1, ap: 10 };
  await table.put(meta, stat, told, ...values, ...ofLink('older', { poster: 10 }));

  const { body } = await send('carla', `GET /links/overview?${rangeOf(1, 1)}&values=true`);

  expect(body.values.campaigns).toEqual({
    utm_source: [
      { name: 'poster', count: 14, people: 1, undivided: 10 },
      { name: 'mail', count: 6, people: 5, undivided: 0 },
    ],
  });
});

test('of a campaign, an overview has the clicks by day, by link, by people and by bots', async () => {
  const ofLink = (code: string, counts: Record<string, number>, day: string, more = {}) => {
    const [counters = {}, ...values] = campaignItems(code, day, { utm_campaign: counts });
    return [
      { ...link(code, 10), owner: 'dora', vh: 10 },
      { PK: `LINK#${code}`, SK: `STAT#${day}`, count: 10, vh: 10, utm: 10 },
      ...[{ ...counters, ...more }, ...values],
    ];
  };
  await table.put(
    ...ofLink('one', { 'q4: sale': 6, x: 4 }, ago(2), { C0: 5, C1: 1, ap: 10 }),
    ...ofLink('two', { x: 7, 'q4: sale': 3 }, ago(1)),
  );
  const filter = encodeURIComponent('utm_campaign:q4: sale');

  const { body } = await send('dora', `GET /links/overview?${rangeOf(2, 1)}&filter=${filter}`);

  expect(body).toMatchObject({ clicks: 9, people: 5, bots: 1 });
  expect(body.days).toEqual([
    { date: ago(2), count: 6, people: 5, bots: 1 },
    { date: ago(1), count: 3, people: 0, bots: 0 },
  ]);
  expect(body.links).toMatchObject([
    { code: 'one', clicks: 6 },
    { code: 'two', clicks: 3 },
  ]);
});

test.each([
  [
    'from=2026-11-01&to=2026-11-02&filter=hour:09',
    'expected "filter" to be one of visitor, device, referrer, country, network, utm_source, utm_medium, utm_campaign, a colon and a value, such as country:DE; got "hour:09"',
  ],
  ['from=2026-11-01', 'expected "to" to be a date such as 2026-05-26; got nothing'],
  [
    'from=2026-11-02&to=2026-11-01',
    'expected "from" to be a date on or before "to"; got "2026-11-02"',
  ],
  [
    'from=1990-01-01&to=2026-11-01',
    'expected "from" to be a date at most 3699 days before "to"; got "1990-01-01"',
  ],
  [
    'from=2026-11-01&to=2026-11-02&compare=week',
    'expected "compare" to be before or year; got "week"',
  ],
  [
    'from=2026-11-01&to=2026-11-02&utm=true',
    'expected the query to be one without "utm" (use "values"); got {"from":"2026-11-01","to":"2026-11-02","utm":"true"}',
  ],
])('the query %s is rejected', async (query, message) => {
  const { statusCode, body } = await send('anna', `GET /links/overview?${query}`);

  expect(statusCode).toBe(400);
  expect(body).toEqual({ message });
});
