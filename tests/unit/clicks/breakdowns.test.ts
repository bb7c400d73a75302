import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  type Breakdown,
  breakdowns,
  chooseAttributes,
  classifyVisit,
  countries,
} from '../../../lib/clicks/breakdowns.ts';
import { parseClick } from '../../../lib/clicks/click.ts';
import { projectDir } from '../../../local/engines/serverless.ts';
import { largestDay } from '../../helpers/items.ts';

const ten = new Date('2026-05-26T10:59:59.999Z');
const visit = { headers: {}, isBot: false, platform: 'mobile', referrer: 'direct' };
const attributesOf = ({ attributes }: Breakdown) => Object.values(attributes);

describe.each(breakdowns)('the breakdown $name', (breakdown) => {
  const position = breakdowns.indexOf(breakdown);
  const choose = (value: unknown, instant = ten) =>
    chooseAttributes({ [breakdown.name]: value }, instant)[position];

  if ('classify' in breakdown) {
    test.each(Object.entries(breakdown.attributes))('counts %s as %s', (value, attribute) => {
      expect(choose(value)).toBe(attribute);
    });

    test('counts a click without a value as unknown, and with any other value as other', () => {
      const inList = [Object.keys(breakdown.attributes)[0]];
      const withPrototype = JSON.parse('{"__proto__": {"bot": 1}}');
      const others = ['no such value', '', 'constructor', 7, inList, withPrototype];

      expect([undefined, null].map((value) => choose(value))).toEqual(
        Array(2).fill(breakdown.attributes.unknown),
      );
      expect(others.map((value) => choose(value))).toEqual(
        others.map(() => breakdown.attributes.other),
      );
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

test('breakdowns come in the order of their generations, and no two values share an attribute', () => {
  const generations = breakdowns.map(({ generation }) => generation);
  const attributes = [...breakdowns.flatMap(attributesOf), 'PK', 'SK', 'count', 'ttl'];

  expect(generations).toEqual(generations.toSorted());
  expect(attributes).toHaveLength(new Set(attributes).size);
});

test.each<[string | undefined, string]>([
  ['US', 'US'],
  ['DE', 'DE'],
  ...['LI', 'de', 'DEU', 'XX', 'T1', '', 'DE,US', 'constructor'].map((code): [string, string] => [
    code,
    'other',
  ]),
  [undefined, 'unknown'],
])('the country of a request with %j is %s', (header, country) => {
  const headers = { 'cloudfront-viewer-country': header };

  expect(classifyVisit({ ...visit, headers })).toMatchObject({ country });
});

test('clicks are counted by their UTC hour', () => {
  const at = '2026-05-26T00:30:00+02:00';
  const click = parseClick(JSON.stringify({ id: 'a', detail: { code: 'spring', at, hour: '00' } }));

  expect(click.breakdowns).toContain('h22');
});

test('a day item with every value, at the highest counts that prod reaches, stays under 1 KB', () => {
  const { item, bytes } = largestDay();

  const attributes = breakdowns.flatMap(attributesOf);
  expect(Object.keys(item).toSorted()).toEqual(['PK', 'SK', 'count', ...attributes].toSorted());
  expect(bytes).toBeLessThan(1_024);
});
