import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  type Breakdown,
  breakdowns,
  chooseAttributes,
  classifyVisit,
} from '../../../lib/clicks/breakdowns.ts';
import { parseClick } from '../../../lib/clicks/click.ts';
import { countries } from '../../../lib/clicks/countries.ts';
import { projectDir } from '../../../local/engines/serverless.ts';
import { largestDay } from '../../helpers/items.ts';

const ten = new Date('2026-05-26T10:59:59.999Z');
const visit = { headers: {}, isBot: false, platform: 'mobile', referrer: 'direct' };
const attributesOf = ({ attributes }: Breakdown) => Object.values(attributes);

/** Expects that nothing else on a day's item uses these attributes. */
function expectOwnAttributes(own: string[], others: Breakdown[]) {
  const taken = new Set([...others.flatMap(attributesOf), 'PK', 'SK', 'count', 'ttl']);
  expect(new Set(own)).toHaveLength(own.length);
  expect(own.filter((attribute) => taken.has(attribute))).toEqual([]);
  expect(own.filter((attribute) => !/^[a-z][a-z0-9]{1,2}$/.test(attribute))).toEqual([]);
}

describe.each(breakdowns)('the breakdown $name', (breakdown) => {
  const position = breakdowns.indexOf(breakdown);
  const choose = (value: unknown, instant = ten) =>
    chooseAttributes({ [breakdown.name]: value }, instant)[position];

  test('has a unique attribute of at most three characters for each value', () => {
    const others = breakdowns.filter((other) => other !== breakdown);

    expectOwnAttributes(attributesOf(breakdown), others);
  });

  if ('classify' in breakdown) {
    test.each(Object.entries(breakdown.attributes))('counts %s as %s', (value, attribute) => {
      expect(choose(value)).toBe(attribute);
    });

    test('counts a click without a value as unknown', () => {
      expect(choose(undefined)).toBe(breakdown.attributes.unknown);
      expect(choose(null)).toBe(breakdown.attributes.unknown);
    });

    test.each([
      ['a value that is not in the list', 'no such value'],
      ['an empty value', ''],
      ['a property that every object has', 'constructor'],
      ['a number', 7],
      ['a value in a list', [Object.keys(breakdown.attributes)[0]]],
      ['an object with a prototype', JSON.parse('{"__proto__": {"bot": 1}}')],
      ['10,000 names', Array.from({ length: 10_000 }, (_, index) => `name-${index}`)],
      ['200 KB', 'x'.repeat(200_000)],
    ])('counts %s as other', (_, value) => {
      expect(choose(value)).toBe(breakdown.attributes.other);
    });

    test('classifies a visit as one of its values', () => {
      expect(Object.keys(breakdown.attributes)).toContain(classifyVisit(visit)[breakdown.name]);
    });
  } else {
    test("counts by the click's hour and ignores the producer's value", () => {
      const times = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 4, 26, hour)));

      expect(times.map((time) => choose(99, time))).toEqual(attributesOf(breakdown).toSorted());
    });
  }
});

test("the documentation's example is the breakdown by country", () => {
  const page = readFileSync(path.join(projectDir, 'docs/contributing/add-a-breakdown.md'), 'utf8');
  const [, code] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];

  const { classify, ...example } = runInNewContext(`(${code})`, { countries });

  const country = breakdowns.find(({ name }) => name === 'country');
  expect(country).toMatchObject({ ...example, attributes: { ...example.attributes } });
  expect(classify({ ...visit, headers: { 'cloudfront-viewer-country': 'FR' } })).toBe('FR');
  expect(classify(visit)).toBe('unknown');
});

test('breakdowns come in the order of their generations', () => {
  const generations = breakdowns.map(({ generation }) => generation);

  expect(generations).toEqual(generations.toSorted());
});

describe('the country', () => {
  const countryOf = (header?: string) =>
    classifyVisit({ ...visit, headers: { 'cloudfront-viewer-country': header } }).country;

  test.each([
    ['US', 'US'],
    ['DE', 'DE'],
    ['LI', 'other'],
    ['de', 'other'],
    ['DEU', 'other'],
    ['XX', 'other'],
    ['T1', 'other'],
    ['', 'other'],
    ['DE,US', 'other'],
    ['constructor', 'other'],
    ['U'.repeat(10_000), 'other'],
    [undefined, 'unknown'],
  ])('of a request with %j is %s', (header, country) => {
    expect(countryOf(header)).toBe(country);
  });
});

test('clicks are counted by their UTC hour', () => {
  const at = '2026-05-26T00:30:00+02:00';
  const click = parseClick(JSON.stringify({ id: 'a', detail: { code: 'spring', at, hour: '00' } }));

  expect(click.day).toBe('2026-05-25');
  expect(click.breakdowns).toContain('h22');
});

test('a day item with every value, at the highest counts that prod reaches, stays under 1 KB', () => {
  const { item, bytes } = largestDay();

  const attributes = breakdowns.flatMap(attributesOf);
  expect(Object.keys(item).toSorted()).toEqual(['PK', 'SK', 'count', ...attributes].toSorted());
  expect(bytes).toBeLessThan(1_024);
});
