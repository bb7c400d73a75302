import { expect, test } from 'vitest';
import * as days from '../../../dashboard/days.ts';
test("a UTC day doesn't depend on the viewer's time zone, and has neighbours across months and years", () => {
    expect(days.utcDay(Date.parse('2026-11-22T23:59:59.999Z'))).toBe('2026-11-22');
    expect(days.utcDay(Date.parse('2026-11-22T23:30:00-02:00'))).toBe('2026-11-23');
    expect(days.addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(days.addDays('2026-12-31', 1)).toBe('2027-01-01');
    // The end of daylight saving.
    expect(days.addDays('2026-10-24', 2)).toBe('2026-10-26');
    expect(days.listDays('2026-02-28', '2026-03-01')).toEqual(['2026-02-28', '2026-03-01']);
    expect(days.listDays('2026-03-02', '2026-03-01')).toEqual([]);
});
