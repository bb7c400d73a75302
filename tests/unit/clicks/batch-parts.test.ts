import { expect, test } from 'vitest';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { BatchParts } from '../../../lib/clicks/batch-parts.ts';
import { openRecord } from '../../../lib/clicks/records.ts';
import { makeClicks, makeEnvelope, makeNested } from '../../helpers/clicks.ts';

const envelopeOf = (clicks: number) => makeEnvelope(makeNested(clicks, 'spring'));

/** Counts a batch at this speed. Returns the ids of each part's messages, and of those that weren't started. */
async function countAt(
  clicksPerSecond: number,
  seconds: number,
  bodies: string[],
  parts = new BatchParts(),
) {
  let remainingMs = seconds * 1_000;
  const counted: string[][] = [];
  const records = makeBatch(bodies).Records.map(openRecord);
  const notStarted = await parts.count(
    records,
    { getRemainingTimeInMillis: () => remainingMs },
    async (part) => {
      const clicks = part.reduce((sum, { message }) => sum + (message?.events.length ?? 1), 0);
      remainingMs -= (clicks / clicksPerSecond) * 1_000;
      counted.push(part.map(({ messageId }) => messageId.replace('message-', '')));
    },
  );
  return {
    parts: counted,
    notStarted: notStarted.map(({ messageId }) => messageId),
    remainingMs,
  };
}

test('single clicks are counted with one full envelope, and then what fits into half of the time', async () => {
  const envelopes = Array<string>(9).fill(envelopeOf(500));

  const { parts } = await countAt(1_000, 9, [...envelopes, ...makeClicks(2, 'spring')]);

  // The first part takes 0.502 s. Of the other 8.498 s, half a second is held back: (8.498 - 0.5) / 2 = 3.999.
  expect(parts[0]).toEqual(['9', '10', '0']);
  expect(parts[1]).toEqual(['1', '2', '3', '4', '5', '6', '7']);
});

test('small envelopes share a part', async () => {
  const { parts } = await countAt(1_000, 9, Array<string>(50).fill(envelopeOf(10)));

  expect(parts).toHaveLength(1);
});

test('envelopes that would not fit are not started, and the first one always is', async () => {
  const slow = await countAt(400, 5, Array<string>(10).fill(envelopeOf(500)));
  const late = await countAt(400, 0.1, [envelopeOf(500)]);

  expect(slow.parts).toEqual([['0'], ['1']]);
  expect(slow.notStarted).toHaveLength(8);
  expect(slow.remainingMs).toBeGreaterThanOrEqual(500);
  expect(late.parts).toEqual([['0']]);
});

test('an environment begins with 500 single clicks until a part has fitted into half of its time', async () => {
  const parts = new BatchParts();
  const bodies = makeClicks(2_000, 'spring');
  const firstPart = async (clicksPerSecond: number) => {
    const counted = await countAt(clicksPerSecond, 10, bodies, parts);
    return counted.parts[0]?.length;
  };

  expect(await firstPart(1_000)).toBe(500);
  // At 1,000 a second, 4,750 fit into half of 9.5 s.
  expect(await firstPart(80)).toBe(2_000);
  expect(await firstPart(1_000)).toBe(500);
  expect(await firstPart(1_000)).toBe(2_000);
});
