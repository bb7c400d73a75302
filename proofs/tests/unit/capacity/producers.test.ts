import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { prices } from '../../../capacity/prices.ts';

test('the page for producers has the price of a click on the bus and in the queue, alone and in an envelope', async () => {
  const text = await readFile(new URL('../../../../docs/producers.md', import.meta.url), 'utf8');
  const page = text.replace(/\s+/g, ' ');
  const [, alone, inEnvelopes, clicks] =
    /a million clicks cost up to \$([\d.]+) alone, and \$([\d.]+) in envelopes of (\d+)/s.exec(
      page,
    ) ?? [];
  // Each message is sent, received and deleted, at most in a batch of its own.
  const dollars = prices.customEvent.dollars + 3 * prices.queueRequest.dollars;

  expect(Number(alone)).toBeCloseTo(dollars, 10);
  expect(Number(inEnvelopes)).toBeCloseTo(dollars / Number(clicks), 10);
});
