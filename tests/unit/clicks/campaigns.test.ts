import { expect, test } from 'vitest';
import { campaignParameters, chooseCampaign, readCampaign } from '../../../lib/clicks/campaign.ts';
import {
  chooseCounters,
  listCampaigns,
  maxValues,
  readValues,
} from '../../../lib/clicks/campaign-counters.ts';
import { campaignItems, largestCampaigns, sizeOf } from '../../helpers/items.ts';

const long = 'x'.repeat(40);
const all = (source: string, medium: string, campaign: string) => ({
  utm_source: source,
  utm_medium: medium,
  utm_campaign: campaign,
});

test.each([
  ['', {}],
  [
    'utm_source=a&utm_medium=B+c&utm_campaign=%20d%2C%0A%C3%84%20',
    { utm_source: 'a', utm_medium: 'b c', utm_campaign: 'd, ä' },
  ],
  ['utm_source=a&utm_source=b&UTM_MEDIUM=c', { utm_source: 'a', utm_medium: 'c' }],
  ['utm_source=&utm_source=+&utm_source=b', { utm_source: 'b' }],
  ['utm%5Fsource=a&utm%255fmedium%253Db', { utm_source: 'a', utm_medium: 'b' }],
  ['utm_source=a&amp;utm_medium=b&amp;amp;utm_campaign=c', all('a', 'b', 'c')],
  ['utm_source=a%26amp%3Butm_medium=b%26%23038;utm_campaign=c', all('a', 'b', 'c')],
  ['utm_source=a;utm_medium=b%26%20utm_campaign=c', all('a', 'b', 'c')],
  ['id=guest%3Futm_source%3Da&utm_medium=b&utm_campaign=c', all('a', 'b', 'c')],
  ['id=guest?utm_source=a?utm_medium=b&utm_campaign=c?fbclid=d', all('a', 'b', 'c')],
  ['?utm_source=a', { utm_source: 'a' }],
  ['to=https%3A%2F%2Fexample.com%2F%3Futm_source%3Da&utm_source=b', { utm_source: 'b' }],
  ['utm_source=A%26B&utm_medium=who%3F&utm_campaign=a;b=c', all('a&b', 'who?', 'a;b=c')],
  [
    'utm_source=20%2520off&utm_medium=20%25additional',
    { utm_source: '20 off', utm_medium: '20%additional' },
  ],
  ['UTM_SOURCE=Poster&my_utm_source=a&utm_sources=b', { utm_source: 'poster' }],
  ['spring&utm_source=a&', { utm_source: 'a' }],
  ['utm_source=inc.&utm_campaign=a%22).', { utm_source: 'inc.', utm_campaign: 'a' }],
  ['utm_campaign=a%3C/a%3E', { utm_campaign: 'a' }],
  ['utm_campaign=sale%20(june)', { utm_campaign: 'sale (june)' }],
  ['utm_source=%E2%8&utm_medium=%', { utm_source: '\ufffd%8', utm_medium: '%' }],
  [
    `utm_source=${long}y&utm_medium=${'x'.repeat(39)}é&utm_campaign=${'y'.repeat(10_000)}`,
    { utm_source: long, utm_medium: 'x'.repeat(39), utm_campaign: 'y'.repeat(40) },
  ],
  ['utm_source=&utm_medium=%00%20&utm_campaign', {}],
])('the campaign of the query %j is %j, also when it is read again', (query, campaign) => {
  expect(readCampaign(query)).toEqual(campaign);
  expect(chooseCampaign({ ...campaign, code: 'spring', utm_term: 'x' })).toEqual(campaign);
});

const campaign = { utm_source: 12, utm_campaign: 'other' } as const;

test('a click with a campaign counts once for each parameter, by number, as other or as none', () => {
  expect(chooseCounters(campaign, false)).toEqual(['s12', 'mn', 'co', 'ap']);
});

test("a person's click counts among the people of each value that it has too", () => {
  expect(chooseCounters(campaign, true)).toEqual(['s12', 'mn', 'co', 'S12', 'Co', 'ap']);
});

test('people are told apart on days on which all clicks were, and the others say how many may be bots', () => {
  const values = [
    { SK: 'UTM#2026-05-25#utm_source', v0: 'a' },
    { SK: 'UTM#2026-05-26#utm_source', v0: 'a' },
    { SK: 'UTM#2026-05-27#utm_source', v0: 'a' },
  ];
  const before = { SK: 'UTM#2026-05-25', s0: 10 };
  const during = { SK: 'UTM#2026-05-26', s0: 10, S0: 2, ap: 3 };
  const after = { SK: 'UTM#2026-05-27', s0: 10, S0: 7, ap: 10 };

  expect(listCampaigns([...values, before, during, after]).utm_source).toEqual([
    { name: 'a', count: 30, people: 9, undivided: 18 },
  ]);
  expect(listCampaigns([...values, after]).utm_source).toEqual([
    { name: 'a', count: 10, people: 7, undivided: 0 },
  ]);
});

test('the values of several days are summed, and a visitor may call a value other', () => {
  const days = [
    ...campaignItems('spring', '2026-05-25', {
      utm_source: { a: 1, b: 2, other: 3 },
      utm_campaign: { 'a=b': 2 },
    }),
    ...campaignItems('spring', '2026-05-26', { utm_source: { b: 1 }, utm_medium: { other: 1 } }),
    { SK: 'UTM#2026-05-27', s0: 4, sn: 9, cn: 9, s: 9, 's=old': 9, S: new Set(['s=old']) },
    { SK: 'UTM#2026-05-27#utm_source', v0: 'other' },
  ];

  expect(listCampaigns(days)).toMatchObject({
    utm_source: [
      { name: 'other', count: 7 },
      { name: 'b', count: 3 },
      { name: 'a', count: 1 },
    ],
    utm_medium: [{ name: 'other', count: 1 }],
    utm_campaign: [{ name: 'a=b', count: 2 }],
  });
});

test('of the values of many days, the 1,000 most frequent are listed, and the rest is in other', () => {
  const days = Array.from({ length: 51 }, (_, day) => {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
    const values = Array.from({ length: 20 }, (_, value) => [`${day}-${value}`, day === 0 ? 1 : 2]);
    return campaignItems('spring', date, { utm_source: Object.fromEntries(values) });
  });

  const { utm_source: listed = [] } = listCampaigns(days.flat());

  expect(listed).toHaveLength(1_001);
  expect(listed[0]).toMatchObject({ name: 'other', count: 20 });
  expect(listed.at(-1)?.count).toBe(2);
});

test('a number that an operator removed or broke stays taken', () => {
  expect(readValues({ v0: 'a', v2: 7, v3: 'b', v99: 'c' })).toEqual(['a', '', '', 'b']);
});

test('the items that a click with a campaign updates stay under 1 KB, up to a million clicks with each value', () => {
  const items = largestCampaigns();

  const [counters = {}, ...values] = items;
  // The keys, the clicks whose people are known, and each parameter's values, others and none. None has no people.
  const attributes = 3 + campaignParameters.length * (2 * (maxValues + 1) + 1);
  expect(Object.keys(counters)).toHaveLength(attributes);
  expect(values.map(readValues)).toEqual(values.map(() => expect.objectContaining({ length: 20 })));
  expect(values).toHaveLength(campaignParameters.length);
  for (const item of items) expect(sizeOf(item)).toBeLessThan(1_024);
});
