import { expect, test } from 'vitest';
import {
  addBreakdowns,
  addToday,
  type Breakdowns,
  couldReverse,
  newerDay,
  noCounts,
  raise,
  sumCounts,
  visitorsOf,
} from '../../../dashboard/state/counts.ts';

const day = (count: number, date = '2026-11-22', bots = 0) => {
  return { date, count, bots, people: count - bots };
};
const detail = (count: number, date?: string) => ({
  ...day(count, date),
  breakdowns: { device: [{ name: 'mobile', count }] },
});
const totals = (clicks: number) => ({ clicks, people: clicks, bots: 0 });

test.each([
  ['higher totals and a higher day are adopted', [5, day(2)], [7, day(4)], 7, [day(4)]],
  ['older ones are not', [7, day(4)], [5, day(2)], 7, [day(4)]],
  ['repeated ones are not', [7, day(4)], [7, day(4)], 7, [day(4)]],
  [
    'a newer day is, even with an older total',
    ...[[7, day(4)], [6, day(3, '2026-11-23')], 7, [day(4), day(3, '2026-11-23')]],
  ],
] as const)("of a link's numbers, %s", (_, before, pushed, clicks, days) => {
  const [known, after] = [before, pushed].map(([number, one]) => {
    return { ...totals(number), days: [one] };
  });

  const raised = raise(noCounts, known ?? {});

  const result = raise(raised, after ?? {});
  expect(result).toEqual({ ...totals(clicks), days: new Map(days.map((one) => [one.date, one])) });
  // A signal with the same object doesn't render again.
  if (clicks === raised.clicks && days.length === 1) expect(result).toBe(raised);
});

test.each([
  ['has the higher count', detail(5), detail(4)],
  ['has the later date, whatever its count', detail(0, '2026-11-23'), detail(9)],
])('the newer of two days %s', (_, newer, older) => {
  expect(newerDay(newer, older)).toEqual(newer);
  expect(newerDay(older, newer)).toEqual(newer);
});

test('campaigns of the past, of today or of both are summed', () => {
  const [one, two, other] = ['one', 'two', 'other'].map((name) => ({ name, count: 2 }));
  const past = { utm_source: [one, two], utm_medium: [one] } as Breakdowns;
  const today = { utm_source: [one, other], utm_campaign: [two] } as Breakdowns;

  expect(addBreakdowns(past, today)).toEqual({
    utm_medium: [one],
    utm_campaign: [two],
    utm_source: [{ name: 'one', count: 4 }, other, two],
  });
  expect(addBreakdowns(past)).toEqual(past);
  expect(addBreakdowns(undefined, undefined)).toEqual({});
});

test('a period includes today, with its values sorted by frequency and then by name', () => {
  const tablet = { name: 'tablet', count: 3 };
  const mobile = { name: 'mobile', count: 2 };
  const past = {
    days: [day(3, '2026-11-20', 1), day(2, '2026-11-21')],
    breakdowns: { device: [tablet, mobile] },
  };

  const whole = addToday(past, detail(1));

  const days = whole.days.map(({ date, count }) => `${date} ${count}`);
  expect(days).toEqual(['2026-11-20 3', '2026-11-21 2', '2026-11-22 1']);
  expect(whole.breakdowns.device).toEqual([{ name: 'mobile', count: 3 }, tablet]);
  expect(sumCounts(whole.days)).toBe(6);
  expect(visitorsOf(whole).bots).toBe(1);
});

test.each([
  ['a fall by 100 while 500 clicks are missing', 400, 500, 500, true],
  ['a rise by 100 while 500 clicks are missing', 600, 500, 500, true],
  ['a fall by 501 while 500 clicks are missing', 0, 501, 500, false],
  ['a fall while the number of missing clicks is unknown', 0, 501, undefined, true],
  ['no change while no click is missing', 5, 5, 0, false],
])('%s could be another: %#', (_, clicks, before, missing, expected) => {
  expect(couldReverse(clicks, before, missing)).toBe(expected);
});
