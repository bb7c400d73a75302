import { expect, test } from 'vitest';
import { listDays } from '../../../dashboard/days.ts';
import { addDays, utcDay } from '../../../lib/days.ts';

test("a UTC day doesn't depend on the viewer's time zone, and has neighbours across months and years", () => {
  expect(utcDay(Date.parse('2026-11-22T23:59:59.999Z'))).toBe('2026-11-22');
  expect(utcDay(Date.parse('2026-11-22T23:30:00-02:00'))).toBe('2026-11-23');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  // The end of daylight saving.
  expect(addDays('2026-10-24', 2)).toBe('2026-10-26');
  expect(listDays('2026-02-28', '2026-03-01')).toEqual(['2026-02-28', '2026-03-01']);
  expect(listDays('2026-03-02', '2026-03-01')).toEqual([]);
});
