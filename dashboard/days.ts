import { addDays, dayMs } from '../lib/days.ts';

/** The ranges that a viewer can choose. */
export const ranges = {
  '2d': { days: 2, label: '2 days' },
  '7d': { days: 7, label: '7 days' },
  '30d': { days: 30, label: '30 days' },
  '90d': { days: 90, label: '90 days' },
  all: { days: Number.POSITIVE_INFINITY, label: 'All' },
};

export type Range = keyof typeof ranges;

/** Lists all days in an inclusive range. */
export function listDays(from: string, to: string): string[] {
  const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length: Math.max(0, length) }, (_, index) => addDays(from, index));
}

/**
 * The days of a range before today, both ends inclusive. The range "all" is open at the start.
 * Today is read separately, because pushes replace it.
 */
export function pastOf(range: Range, today: string): { from?: string; to: string } {
  const to = addDays(today, -1);
  const { days } = ranges[range];
  return Number.isFinite(days) ? { from: addDays(today, 1 - days), to } : { to };
}
