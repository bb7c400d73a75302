import { expect, test } from 'vitest';
import {
  type Breakdown,
  breakdowns,
  chooseAttributes,
  classifyVisit,
} from '../../../lib/clicks/breakdowns.ts';
import { readClick } from '../../../lib/clicks/click.ts';
import { largestDay } from '../../helpers/items.ts';

const ten = new Date('2026-05-26T10:59:59.999Z');
const visit = {
  headers: {},
  campaign: {},
  isBot: false,
  platform: 'mobile',
  network: 'other',
  referrer: 'direct',
};
const attributesOf = ({ attributes }: Breakdown) => Object.values(attributes);

const choose = (breakdown: Breakdown, value: unknown, instant = ten) =>
  chooseAttributes({ [breakdown.name]: value }, instant)[breakdowns.indexOf(breakdown)];

test.each(breakdowns.filter((breakdown) => 'classify' in breakdown))(
  'the breakdown $name counts each value, none as unknown, and any other as other',
  (breakdown) => {
    const { name, attributes } = breakdown;
    const values = Object.entries(attributes);
    const withPrototype = JSON.parse('{"__proto__": {"bot": 1}}');
    const others = ['no such value', '', 'constructor', 7, [values[0]?.[0]], withPrototype];

    for (const [value, attribute] of values) {
      // Only the visitor says that a click is by a bot.
      const isOther = value === 'bot' && name !== 'visitor';
      expect(choose(breakdown, value)).toBe(isOther ? attributes.other : attribute);
    }
    for (const value of [undefined, null]) {
      expect(choose(breakdown, value)).toBe(attributes.unknown);
    }
    for (const value of others) expect(choose(breakdown, value)).toBe(attributes.other);
    expect(Object.keys(attributes)).toContain(classifyVisit(visit)[name]);
  },
);

test('a click by a bot counts as such in each breakdown but network and hour, whatever its values', () => {
  const click = { visitor: 'bot', device: 'mobile', country: 'DE', network: 'hosting' };

  expect(chooseAttributes(click, ten)).toEqual(['vb', 'db', 'rb', 'h10', 'cw', 'nh']);
});

test.each([
  ['human', ['vh', 'do', 'ro', 'h10', 'co', 'no']],
  ['crawler', ['vo', 'do', 'ro', 'h10', 'co', 'no']],
  [undefined, ['vu', 'do', 'ro', 'h10', 'co', 'no']],
])('a producer whose visitor is %s cannot count its device as a bot', (visitor, expected) => {
  const click = { visitor, device: 'bot', referrer: 'bot', country: 'bot', network: 'bot' };

  expect(chooseAttributes(click, ten)).toEqual(expected);
});

test("clicks are counted by their UTC hour, whatever the producer's value", () => {
  const hour = breakdowns.find((breakdown) => !('classify' in breakdown)) ?? expect.fail();
  const times = Array.from({ length: 24 }, (_, of) => new Date(Date.UTC(2026, 4, 26, of)));
  const at = '2026-05-26T00:30:00+02:00';

  const chosen = times.map((time) => choose(hour, 99, time));

  expect(chosen).toEqual(attributesOf(hour).toSorted());
  const click = readClick({ id: 'a', detail: { code: 'spring', at, hour: '00' } });
  expect(click.breakdowns).toContain('h22');
});

test('breakdowns come in the order of their generations, and no two values share an attribute', () => {
  const generations = breakdowns.map(({ generation }) => generation);
  const attributes = [...breakdowns.flatMap(attributesOf), ...['PK', 'SK', 'count', 'ttl', 'utm']];

  expect(generations).toEqual(generations.toSorted());
  expect(attributes).toHaveLength(new Set(attributes).size);
});

test.each([
  ['US', ['US']],
  ['DE', ['DE']],
  ['other', ['LI', 'de', 'DEU', 'XX', 'T1', '', 'DE,US', 'constructor']],
  ['unknown', [undefined]],
])('the country is %s for each header of %j', (country, headers) => {
  for (const header of headers) {
    const from = { ...visit, headers: { 'cloudfront-viewer-country': header } };
    expect(classifyVisit(from)).toMatchObject({ country });
  }
});

test('a day item of a billion clicks, with every value above a million, stays under 1 KB', () => {
  const { item, bytes } = largestDay();

  const attributes = breakdowns.flatMap(attributesOf);
  expect(Object.keys(item).toSorted()).toEqual(
    ['PK', 'SK', 'count', 'utm', ...attributes].toSorted(),
  );
  expect(bytes).toBeLessThan(1_024);
});
