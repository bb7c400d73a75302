import { describe, expect, test } from 'vitest';
import {
  addToday,
  newerDay,
  noCounts,
  raise,
  sumCounts,
  visitorsOf,
} from '../../../dashboard/state/counts.ts';

const day = (count: number, date = '2026-11-22', bots = 0) => ({
  ...{ date, count, bots },
  people: count - bots,
});
const detail = (count: number, date = '2026-11-22') => ({
  ...day(count, date),
  breakdowns: { device: [{ name: 'mobile', count }] },
});

describe("a link's numbers", () => {
  test('adopt higher totals and a higher day', () => {
    const before = raise(noCounts, { clicks: 5, people: 3, bots: 1, days: [day(2)] });

    const after = raise(before, { clicks: 7, people: 4, bots: 2, days: [day(4)] });

    const totals = { clicks: 7, people: 4, bots: 2 };
    expect(after).toEqual({ ...totals, days: new Map([['2026-11-22', day(4)]]) });
  });

  test('never go down, and an old push leaves the object unchanged', () => {
    const before = raise(noCounts, { clicks: 7, days: [day(4)] });

    expect(raise(before, { clicks: 5, days: [day(2)] })).toBe(before);
  });

  test('adopt a newer day from a push with an older total', () => {
    const before = raise(noCounts, { clicks: 7, days: [day(4)] });

    const after = raise(before, { clicks: 6, days: [day(3, '2026-11-23')] });

    expect(after.clicks).toBe(7);
    expect([...after.days.keys()]).toEqual(['2026-11-22', '2026-11-23']);
  });
});

describe('the newer of two days', () => {
  test('is the one with the higher count', () => {
    expect(newerDay(detail(4), detail(3))).toEqual(detail(4));
    expect(newerDay(detail(4), detail(5))).toEqual(detail(5));
  });

  test('is the later date, whatever its count', () => {
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

  test('includes today, with its values sorted by frequency and then by name', () => {
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
    expect([sumCounts(whole.days), visitorsOf(whole).bots]).toEqual([6, 1]);
  });
});
