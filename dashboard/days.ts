const dayMs = 24 * 60 * 60 * 1_000;

/** The ranges of days that a viewer chooses from. */
export const ranges = ['24h', '7d', '30d', '90d', 'all'] as const;

export type Range = (typeof ranges)[number];

const lengthOf: Record<Range, number> = {
  '24h': 2,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  all: Number.POSITIVE_INFINITY,
};

/** The UTC day of an instant, yyyy-mm-dd. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** The day so many days later, or earlier if `days` is negative. */
export function addDays(date: string, days: number): string {
  return utcDay(Date.parse(date) + days * dayMs);
}

/** All days of a range; both ends are included. */
export function listDays(from: string, to: string): string[] {
  const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length: Math.max(0, length) }, (_, index) => addDays(from, index));
}

/**
 * The days of a range before today, both ends included; the range "all" has no first day. Today is
 * read alone, because a push replaces it.
 */
export function pastOf(range: Range, today: string): { from?: string; to: string } {
  const to = addDays(today, -1);
  const length = lengthOf[range];
  return Number.isFinite(length) ? { from: addDays(today, 1 - length), to } : { to };
}
