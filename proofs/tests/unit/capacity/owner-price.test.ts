import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { priceOwner } from '../../../capacity/owner-price.ts';
import { readStage } from '../../../capacity/stage.ts';

/** A text without its line breaks. */
const unwrap = (text: string) => text.replace(/\s+/g, ' ');

test('a user’s requests cost what docs/security.md says', async () => {
  const security = unwrap(await readFile('docs/security.md', 'utf8'));
  const perMinute = readStage().requestsPerUserPerMinute;
  const { list, statistics } = priceOwner(perMinute * 60, 365);

  const [, requests, lists, years] =
    /so ([\d,]+) such requests a minute cost about \$(\d+) an hour, or \$(\d+) for/.exec(
      security,
    ) ?? [];
  expect(requests).toBe(perMinute.toLocaleString('en-US'));
  expect(Number(lists)).toBe(Math.round(list));
  expect(Number(years)).toBe(Math.round(statistics));
});

test('a million lists cost reads, transfer, logs, and little else', () => {
  // 2,024.4 units at 0.125, 931.3 GB at 0.09, 62.4 GB of logs at 0.50, 2 requests at 1.00, a write unit at
  // 0.625, a Lambda request at 0.20, and 0.2228 GB-s at 13.33.
  expect(priceOwner(1_000_000, 0).list).toBeCloseTo(
    253.05 + 83.82 + 31.2 + 2 + 0.625 + 0.2 + 2.97,
    0,
  );
});
