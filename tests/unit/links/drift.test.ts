import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Total } from '../../../lib/links/days.ts';
import { reportDrift } from '../../../lib/links/drift.ts';
import { metrics } from '../../../lib/telemetry/powertools.ts';
import { recordOutput } from '../../helpers/output.ts';

const { readLinkTotal } = vi.hoisted(() => ({
  readLinkTotal: vi.fn<() => Promise<Total | undefined>>(),
}));
vi.mock('../../../lib/links/links.ts', () => ({ readLinkTotal }));

let output: ReturnType<typeof recordOutput>;

beforeEach(() => {
  output = recordOutput();
});
afterEach(() => {
  output.undo();
  readLinkTotal.mockReset();
});

/** Reports a link with 5 clicks and this sum of days, and returns the metrics and log lines. */
async function report(sum: number) {
  const days = [
    { date: '2026-05-25', count: 2 },
    { date: '2026-05-26', count: sum - 2 },
  ];
  const link = { url: 'https://example.com/', createdAt: '2026-05-25T10:00:00Z', clicks: 5 };
  await reportDrift('abcd', { link, days });
  metrics.publishStoredMetrics();
  const lines = output.lines();
  return {
    metrics: lines.filter((line) => '_aws' in line),
    logged: lines.filter((line) => 'level' in line),
  };
}

test('a total that is the sum of its days is not read again', async () => {
  expect(await report(5)).toEqual({ metrics: [], logged: [] });
  expect(readLinkTotal).not.toHaveBeenCalled();
});

test('a drift that a second read confirms is one in the metric, and an error in the log', async () => {
  readLinkTotal.mockResolvedValue({ clicks: 5, sum: 4 });

  expect(await report(4)).toEqual({
    metrics: [expect.objectContaining({ CounterDrift: 1, service: 'click-tally', stage: 'test' })],
    logged: [
      expect.objectContaining({
        level: 'ERROR',
        message: "A link's total is not the sum of its days.",
        code: 'abcd',
        clicks: 5,
        sum: 4,
      }),
    ],
  });
});

test.each([
  ['finds nothing wrong', { clicks: 6, sum: 6 }],
  ['finds no consistent snapshot', undefined],
])('a second read that %s raises no alarm', async (_, total) => {
  readLinkTotal.mockResolvedValue(total);

  expect(await report(6)).toEqual({ metrics: [], logged: [] });
});

test('a second read that fails is logged, and nothing is thrown', async () => {
  readLinkTotal.mockRejectedValue(new Error('throttled'));

  expect(await report(6)).toEqual({
    metrics: [],
    logged: [
      expect.objectContaining({
        level: 'WARN',
        message: 'A possible drift could not be confirmed.',
        code: 'abcd',
      }),
    ],
  });
});
