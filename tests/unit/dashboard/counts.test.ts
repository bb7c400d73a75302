import { expect, test } from 'vitest';
import {
  addCampaigns,
  addToday,
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

/** A link's clicks, and those of one day. */
const numbers = (clicks: number, one: ReturnType<typeof day>) => ({
  ...totals(clicks),
  days: [one],
});
const counts = (clicks: number, ...days: ReturnType<typeof day>[]) => ({
  ...totals(clicks),
  days: new Map(days.map((one) => [one.date, one])),
});

test('higher totals and a higher day are adopted', () => {
  const before = raise(noCounts, numbers(5, day(2)));

  expect(raise(before, numbers(7, day(4)))).toEqual(counts(7, day(4)));
});

test('a newer day is adopted, even with an older total', () => {
  const before = raise(noCounts, numbers(7, day(4)));
  const tomorrow = day(3, '2026-11-23');

  expect(raise(before, numbers(6, tomorrow))).toEqual(counts(7, day(4), tomorrow));
});

test.each([
  { title: 'older', pushed: numbers(5, day(2)) },
  { title: 'repeated', pushed: numbers(7, day(4)) },
])("$title numbers don't replace a link's object, so nothing renders again", ({ pushed }) => {
  const before = raise(noCounts, numbers(7, day(4)));

  const after = raise(before, pushed);

  expect(after).toBe(before);
  expect(after).toEqual(counts(7, day(4)));
});

test.each([
  ['has the higher count', detail(5), detail(4)],
  ['has the later date, whatever its count', detail(0, '2026-11-23'), detail(9)],
])('the newer of two days %s', (_, newer, older) => {
  expect(newerDay(newer, older)).toEqual(newer);
  expect(newerDay(older, newer)).toEqual(newer);
});

test('campaigns of the past, of today or of both are summed', () => {
  const campaignOf = (name: string) => ({ name, count: 4, people: 2, undivided: 1 });
  const one = campaignOf('one');
  const two = campaignOf('two');
  const other = campaignOf('other');
  const past = { utm_source: [one, two], utm_medium: [one] };
  const today = { utm_source: [one, other], utm_campaign: [two] };

  expect(addCampaigns(past, today)).toEqual({
    utm_medium: [one],
    utm_campaign: [two],
    utm_source: [{ name: 'one', count: 8, people: 4, undivided: 2 }, other, two],
  });
  expect(addCampaigns(past)).toEqual(past);
  expect(addCampaigns(undefined, undefined)).toEqual({});
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
  { clicks: 400, before: 500, missing: 500 },
  { clicks: 600, before: 500, missing: 500 },
  { clicks: 0, before: 501, missing: undefined },
])('$missing missing clicks could reverse a change from $before to $clicks', (given) => {
  expect(couldReverse(given.clicks, given.before, given.missing)).toBe(true);
});

test.each([
  { clicks: 0, before: 501, missing: 500 },
  { clicks: 5, before: 5, missing: 0 },
])("$missing missing clicks couldn't reverse a change from $before to $clicks", (given) => {
  expect(couldReverse(given.clicks, given.before, given.missing)).toBe(false);
});
