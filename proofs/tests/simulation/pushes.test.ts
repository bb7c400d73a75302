import { afterAll, describe, expect, test } from 'vitest';
import { Simulator } from '../../simulation/simulator.ts';

const simulator = new Simulator();

afterAll(() => simulator.stop());

/** The aggregators' actions and each message's outcome, to the millisecond. */
async function readCounting(seed: number, push: 'absent' | 'works' | 'slow' | 'fails' | 'hangs') {
  const task = { seed, options: { maxClicks: 60, push }, isTraced: true };
  const { lines, violations, totals } = await simulator.run(task);
  expect(violations).toEqual([]);
  const counting = lines.filter((line) => /^\S+ (table: |queue: |aggregator-)/.test(line));
  return { counting, messages: totals['messages to pages'] ?? 0 };
}

describe('every commit is the same as without pushes', () => {
  test.each(['works', 'slow', 'fails', 'hangs'] as const)('push-counts: %s', async (push) => {
    for (const seed of [2, 6, 10]) {
      const [without, beside] = [
        await readCounting(seed, 'absent'),
        await readCounting(seed, push),
      ];

      expect(without.counting.length).toBeGreaterThan(100);
      expect(beside.counting).toEqual(without.counting);
      expect(without.messages).toBe(0);
      expect(beside.messages > 0).toBe(push !== 'hangs');
    }
  });
});
