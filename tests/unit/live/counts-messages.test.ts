import { expect, test } from 'vitest';
import { collectCounts, readChange } from '../../../lib/live/changes.ts';
import { splitIntoMessages } from '../../../lib/live/counts-messages.ts';
import { streamRecord } from '../../helpers/connections.ts';
import { isoDay, largestDay, link } from '../../helpers/items.ts';

const countsOf = (items: Parameters<typeof streamRecord>[0][]) => [
  ...collectCounts(items.map((item) => readChange(streamRecord(item)))).values(),
];

test('numbers of several links are one message', () => {
  const links = countsOf([link('docs', 1), link('blog', 2)]);

  expect(splitIntoMessages(links)).toEqual([{ type: 'counts', links }]);
});

test('no numbers are no message', () => {
  expect(splitIntoMessages([])).toEqual([]);
});

test('numbers beyond a frame of 32 KB go in several messages, each within it', () => {
  const code = 'x'.repeat(32);
  const days = Array.from({ length: 20 }, (_, index) => ({
    ...largestDay(code).item,
    SK: `STAT#${isoDay(index * 86_400_000)}`,
  }));
  const many = Array.from({ length: 100 }, (_, index) => largestDay(`code-${index}`).item);
  const links = countsOf([link(code, 7), ...days, ...many]);

  const messages = splitIntoMessages(links);

  const bytes = messages.map((message) => Buffer.byteLength(JSON.stringify(message)));
  expect(Math.max(...bytes)).toBeLessThanOrEqual(32_768);
  const packed = messages.flatMap((message) => message.links);
  const numbers = packed.flatMap(({ days }) => days);
  expect(numbers).toEqual(links.flatMap(({ days }) => days));
  expect(packed.filter(({ clicks }) => clicks !== undefined)).toMatchObject([{ code, clicks: 7 }]);
});

test('a message is filled to the last byte, and no further', () => {
  const emptyMessage = Buffer.byteLength('{"type":"counts","links":[]}');
  const emptyLink = Buffer.byteLength('{"code":"","days":[]}');
  // Two links, each with a comma behind it.
  const room = 32_768 - emptyMessage - 2 * (emptyLink + 1);
  const linksOf = (characters: number) =>
    [characters - 1_000, 1_000].map((length) => ({ code: 'x'.repeat(length), days: [] }));

  expect(splitIntoMessages(linksOf(room))).toHaveLength(1);
  expect(splitIntoMessages(linksOf(room + 1))).toHaveLength(2);
});

test('eight days of a link stay together', () => {
  const items = Array.from({ length: 8 }, (_, index) => ({
    ...largestDay('docs').item,
    SK: `STAT#${isoDay(index * 86_400_000)}`,
  }));

  expect(splitIntoMessages(countsOf(items)).map(({ links }) => links.length)).toEqual([1]);
});
