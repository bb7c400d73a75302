import { expect, test } from 'vitest';
import {
  chooseCampaigns,
  countCampaigns,
  listCampaigns,
  readCampaign,
  replaceByOther,
} from '../../../lib/clicks/campaigns.ts';

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
  expect(
    listCampaigns([Object.fromEntries(chooseCampaigns(campaign).map((name) => [name, 1]))]),
  ).toEqual(
    Object.fromEntries(
      Object.entries(campaign).map(([name, value]) => [name, [{ name: value, count: 1 }]]),
    ),
  );
});

test('a value joins its parameter’s set, and a refused one counts as other, which is in none', () => {
  const refused = replaceByOther(['s=a', 'c=b', 'c'], ['c=b']);

  const counted = countCampaigns('code', '2026-05-26', refused);

  const joining = { set: 'S', most: 20 };
  expect(counted.map(({ memberOf }) => memberOf)).toEqual([joining, undefined, undefined]);
  expect(counted.map(({ attribute }) => attribute)).toEqual(['s=a', 'c', 'c']);
});

test('the values of several days are summed, and a visitor may call a value other', () => {
  const days = [
    { SK: 'UTM#1', 's=a': 1, 's=b': 2, s: 3, S: new Set(['s=a']) },
    { SK: 'UTM#2', 's=b': 1, 's=other': 4, m: 1 },
  ];
  expect(listCampaigns(days)).toEqual({
    utm_source: [
      { name: 'other', count: 7 },
      { name: 'b', count: 3 },
      { name: 'a', count: 1 },
    ],
    utm_medium: [{ name: 'other', count: 1 }],
  });
});
