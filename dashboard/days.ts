const dayMs = 24 * 60 * 60 * 1_000;

/** The ranges that a viewer can choose. */
export const ranges = ['2d', '7d', '30d', '90d', 'all'] as const;

export type Range = (typeof ranges)[number];

const lengthOf: Record<Range, number> = {
  '2d': 2,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  all: Number.POSITIVE_INFINITY,
};

/** The UTC day of an instant, yyyy-mm-dd. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** Adds days to a date; subtracts them if `days` is negative. */
export function addDays(date: string, days: number): string {
  return utcDay(Date.parse(date) + days * dayMs);
}

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
  const length = lengthOf[range];
  return Number.isFinite(length) ? { from: addDays(today, 1 - length), to } : { to };
}
