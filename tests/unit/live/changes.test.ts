import { expect, test } from 'vitest';
import { type Change, collectCounts, RecordError, readChange } from '../../../lib/live/changes.ts';
import { splitIntoMessages } from '../../../lib/live/push.ts';
import { streamRecord } from '../../helpers/connections.ts';
import { brokenDownDay, dayOf, isoDay, largestDay, link } from '../../helpers/items.ts';

const read = (...items: Parameters<typeof streamRecord>[0][]): Change[] =>
  items.map((item) => readChange(streamRecord(item)));

test("a record of the stream yields a link's totals, with 0 for those that it doesn't have yet, or a day's numbers", () => {
  const records = [{ ...link('docs', 12), vh: 7, vb: 4 }, link('blog', 3)];

  expect(read(...records, brokenDownDay('docs', '2026-11-22', 5))).toEqual([
    { code: 'docs', clicks: 12, people: 7, bots: 4 },
    { code: 'blog', clicks: 3, people: 0, bots: 0 },
    {
      code: 'docs',
      day: { date: '2026-11-22', count: 5, numbers: { vh: 5, dd: 5, rd: 5, h10: 5 } },
    },
  ]);
});

const expectedCode =
  'the code to be 1 to 64 letters, digits, "-", "_" or dots between them; got a string';
const expectedDay = 'SK to be a date such as 2026-05-26; got a string';
const clicks = 'to be a whole number of clicks; got a';

test.each([
  [link('a b'), `${expectedCode} of 3 characters`],
  [{ ...link('docs'), clicks: 'many' }, `"clicks" ${clicks} string of 4 characters`],
  [{ ...link('docs'), vh: -1 }, `"vh" ${clicks} number`],
  [dayOf('docs', 'today', 1), `${expectedDay} of 5 characters`],
])('a record is rejected with the reason: %j', (item, reason) => {
  expect(() => read(item)).toThrow(new RecordError(`expected ${reason}`));
});

test('the newest numbers of each link and day are the highest, even if records repeat or arrive out of order', () => {
  const changes = read(
    { ...link('docs', 13), vh: 8, vb: 4 },
    dayOf('docs', '2026-11-22', 6),
    { ...link('docs', 14), vh: 9, vb: 4 },
    { ...link('docs', 14), vh: 9, vb: 4 },
    { ...link('docs', 12), vh: 8, vb: 3 },
    ...[dayOf('docs', '2026-11-22', 7), dayOf('docs', '2026-11-22', 5)],
    ...[dayOf('docs', '2026-11-21', 1), link('blog', 9)],
  );

  expect([...collectCounts(changes).values()]).toMatchObject([
    {
      code: 'docs',
      clicks: 14,
      people: 9,
      bots: 4,
      days: [
        { date: '2026-11-22', count: 7 },
        { date: '2026-11-21', count: 1 },
      ],
    },
    { code: 'blog', clicks: 9, people: 0, bots: 0, days: [] },
  ]);
});

test('numbers above 32 KB are split into messages of at most 32 KB', () => {
  const code = 'x'.repeat(64);
  const days = Array.from({ length: 20 }, (_, index) => ({
    ...largestDay(code).item,
    SK: `STAT#${isoDay(index * 86_400_000)}`,
  }));
  const many = Array.from({ length: 100 }, (_, index) => largestDay(`code-${index}`).item);
  const links = [...collectCounts(read(link(code, 7), ...days, ...many)).values()];

  const messages = splitIntoMessages(links);

  const bytes = messages.map((message) => Buffer.byteLength(JSON.stringify(message)));
  expect(Math.max(...bytes)).toBeLessThanOrEqual(32_768);
  const packed = messages.flatMap((message) => message.links);
  const numbers = packed.flatMap(({ days }) => days);
  expect(numbers).toEqual(links.flatMap(({ days }) => days));
  expect(packed.filter(({ clicks }) => clicks !== undefined)).toMatchObject([{ code, clicks: 7 }]);
});

test('a link that fits into no message is an error, because API Gateway would close the connection', () => {
  const code = 'x'.repeat(32_768);

  expect(() => splitIntoMessages([{ code, days: [] }])).toThrow('expected a part of at most 32740');
});
