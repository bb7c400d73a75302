import { expect, test } from 'vitest';
import {
  chooseCampaigns,
  countCampaigns,
  listCampaigns,
  readCampaign,
  replaceByOther,
} from '../../../lib/clicks/campaigns.ts';

const long = 'x'.repeat(40);

test.each([
  ['', {}],
  [
    'utm_source=a&utm_medium=B+c&utm_campaign=%20d%2C%0A%C3%84%20',
    { utm_source: 'a', utm_medium: 'b c', utm_campaign: 'd, ä' },
  ],
  ['utm_source=a&utm_source=b&UTM_MEDIUM=c', { utm_source: 'a' }],
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
