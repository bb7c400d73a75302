import { expect, test } from 'vitest';
import { collectCounts, readChange } from '../../../lib/live/changes.ts';
import { splitIntoMessages } from '../../../lib/live/push.ts';
import { streamRecord } from '../../helpers/connections.ts';
import { isoDay, largestDay, link } from '../../helpers/items.ts';

test('numbers above 32 KB are split into messages of at most 32 KB', () => {
  const code = 'x'.repeat(64);
  const days = Array.from({ length: 20 }, (_, index) => ({
    ...largestDay(code).item,
    SK: `STAT#${isoDay(index * 86_400_000)}`,
  }));
  const many = Array.from({ length: 100 }, (_, index) => largestDay(`code-${index}`).item);
  const changes = [link(code, 7), ...days, ...many].map((item) => readChange(streamRecord(item)));
  const links = [...collectCounts(changes).values()];

  const messages = splitIntoMessages(links);

  const bytes = messages.map((message) => Buffer.byteLength(JSON.stringify(message)));
  expect(Math.max(...bytes)).toBeLessThanOrEqual(32_768);
  const packed = messages.flatMap((message) => message.links);
  const numbers = packed.flatMap(({ days }) => days);
  expect(numbers).toEqual(links.flatMap(({ days }) => days));
  expect(packed.filter(({ clicks }) => clicks !== undefined)).toMatchObject([{ code, clicks: 7 }]);
});
