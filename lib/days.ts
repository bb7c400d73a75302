export const dayMs = 24 * 60 * 60 * 1_000;

/** The UTC day of an instant, yyyy-mm-dd. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** Adds days to a date; subtracts them if `days` is negative. */
export function addDays(date: string, days: number): string {
  return utcDay(Date.parse(date) + days * dayMs);
}
