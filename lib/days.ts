export const dayMs = 24 * 60 * 60 * 1_000;
/** Before and after all days that a link may have. */
export const firstDay = '0000-01-01';
export const lastDay = '9999-12-31';

/** The UTC day of an instant, yyyy-mm-dd. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** Adds days to a date; subtracts them if `days` is negative. */
export function addDays(date: string, days: number): string {
  return utcDay(Date.parse(date) + days * dayMs);
}
