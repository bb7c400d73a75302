import { describe, expect, test } from 'vitest';
import {
  addToday,
  botsOf,
  findUneven,
  newerDay,
  noCounts,
  raise,
  sumOf,
} from '../../../dashboard/state/counts.ts';

const day = (count: number, date = '2026-11-22', bots = 0) => ({ date, count, bots });
const detail = (count: number, date = '2026-11-22') => ({
  ...day(count, date),
  breakdowns: { device: [{ name: 'mobile', count }] },
});

describe('the numbers of a link', () => {
  test('take in a higher total and a day that counted more', () => {
    const before = raise(noCounts, { clicks: 5, days: [day(2)] });

    const after = raise(before, { clicks: 7, days: [day(4)] });

    expect(after).toEqual({ clicks: 7, days: new Map([['2026-11-22', day(4)]]) });
  });

  test('never go down, and stay the same object if an old push changes nothing', () => {
    const before = raise(noCounts, { clicks: 7, days: [day(4)] });

    expect(raise(before, { clicks: 5, days: [day(2)] })).toBe(before);
  });

  test('take a newer day from a push whose total is older', () => {
    const before = raise(noCounts, { clicks: 7, days: [day(4)] });

    const after = raise(before, { clicks: 6, days: [day(3, '2026-11-23')] });

    expect(after.clicks).toBe(7);
    expect([...after.days.keys()]).toEqual(['2026-11-22', '2026-11-23']);
  });

  test('know a day without clicks', () => {
    expect(raise(noCounts, { days: [day(0)] }).days.get('2026-11-22')).toEqual(day(0));
  });
});

describe('the newer state of a day', () => {
  test('is the one that counted as much or more', () => {
    expect(newerDay(detail(4), detail(3))).toEqual(detail(4));
    expect(newerDay(detail(4), detail(5))).toEqual(detail(5));
  });

  test('is that of the later day, whatever it counted', () => {
    expect(newerDay(detail(9), detail(0, '2026-11-23'))).toEqual(detail(0, '2026-11-23'));
    expect(newerDay(detail(0, '2026-11-23'), detail(9))).toEqual(detail(0, '2026-11-23'));
  });
});

describe('a period', () => {
  const past = {
    days: [day(3, '2026-11-20', 1), day(2, '2026-11-21')],
    breakdowns: {
      device: [
        { name: 'tablet', count: 3 },
        { name: 'mobile', count: 2 },
      ],
    },
  };

  test('is the days before today and today, its values by frequency and then by name', () => {
    const whole = addToday(past, detail(1));

    expect(whole.days.map(({ date, count }) => [date, count])).toEqual([
      ['2026-11-20', 3],
      ['2026-11-21', 2],
      ['2026-11-22', 1],
    ]);
    expect(whole.breakdowns.device).toEqual([
      { name: 'mobile', count: 3 },
      { name: 'tablet', count: 3 },
    ]);
    expect([sumOf(whole), botsOf(whole)]).toEqual([6, 1]);
  });

  test('has only the days before, if today has no clicks', () => {
    expect(addToday(past, detail(0))).toBe(past);
  });

  test('adds up, or names the breakdown that does not', () => {
    expect(findUneven(past)).toEqual([]);
    expect(findUneven({ ...past, days: [day(6)] })).toEqual([{ name: 'device', sum: 5 }]);
  });
});
