const minuteMs = 60_000;
const counts = new Intl.NumberFormat('en');
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A count with separators: 12,345. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** A count with its noun: "1 click", "12,345 clicks". */
export function countOf(count: number, one: string): string {
  return `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;
}

/** A part of a whole in percent. Shares below one percent are "<1%". */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0%';
  const percent = (100 * part) / whole;
  return percent < 1 ? '<1%' : `${Math.round(percent)}%`;
}

/** How much a count differs from an earlier one, which isn't 0: +20%, −5%, 0%. */
export function formatChange(count: number, before: number): string {
  const percent = Math.round((100 * (count - before)) / before);
  // A change of less than half a percent has no sign: Math.round(-0.2) is -0.
  return `${percent > 0 ? '+' : ''}${formatCount(percent || 0)}%`.replace('-', '−');
}

/** A UTC day (yyyy-mm-dd) for display: 22 Nov. */
export function formatDay(date: string): string {
  const [, month = '', day = ''] = date.split('-');
  return `${Number(day)} ${months[Number(month) - 1]}`;
}

/** A UTC day with its year, for display: 22 Nov 2026. */
export function formatFullDay(date: string): string {
  return `${formatDay(date)} ${date.slice(0, 4)}`;
}

/** The day of an ISO 8601 instant in the reader's time zone, for display: 22 Nov 2026. */
export function formatLocalDay(instant: string): string {
  return formatFullDay(toLocalTime(instant).slice(0, 'yyyy-mm-dd'.length));
}

/** "today", or "today (UTC)" for a reader whose days differ from UTC's, by which clicks are kept. */
export function nameToday(nowMs: number): string {
  return new Date(nowMs).getTimezoneOffset() === 0 ? 'today' : 'today (UTC)';
}

/** An ISO 8601 instant in the reader's time zone or in UTC, for display: 26 May 2026, 18:00. */
export function formatTime(instant: string, isUtc = false): string {
  const time = isUtc ? instant : toLocalTime(instant);
  const [date = '', clock = ''] = time.split('T');
  return `${formatFullDay(date)}, ${clock.slice(0, 'hh:mm'.length)}`;
}

/** The difference of the reader's clock from UTC at an instant, for display: UTC+13. */
export function formatOffset(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  const clock = new Date(Math.abs(minutes) * minuteMs).toISOString().slice(11, 16);
  return `UTC${minutes < 0 ? '−' : '+'}${clock.replace(/^0|:00$/g, '')}`;
}

/** A time of today in the reader's time zone, for display: 18:00:05. */
export function formatClock(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 'hh:mm:ss'.length);
}

/** An ISO 8601 instant in the reader's time zone, as a field for times has it: 2026-05-26T18:00. */
export function toLocalTime(instant: string): string {
  const date = new Date(instant);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * minuteMs);
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/** A month (yyyy-mm) for display: Nov 2026. */
export function formatMonth(month: string): string {
  return formatFullDay(`${month}-01`).slice('1 '.length);
}

/** Shortens a URL for display by removing what most URLs share. */
export function shortenUrl(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}
