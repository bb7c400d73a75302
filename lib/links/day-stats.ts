import { listBreakdowns, type Numbers } from '../clicks/breakdown-sums.ts';
import { botAttribute, humanAttribute } from '../clicks/breakdowns.ts';
import { type Day, sumDays } from './days.ts';

/**
 * Days as the statistics show them: the people and bots of each day and in total, and the breakdowns
 * in total. Clicks without a known visitor are neither.
 */
export function summarizeDays(days: Day[]) {
  const numbers = addUp(days);
  return {
    ...visitorsOf(numbers),
    days: days.map(({ date, count, numbers }) => ({ date, count, ...visitorsOf(numbers) })),
    breakdowns: listBreakdowns(numbers, sumDays(days)),
  };
}

/** One day as the statistics show it, with its own breakdowns. */
export function summarizeDay(day: Day) {
  const { days, ...sums } = summarizeDays([day]);
  return { date: day.date, count: day.count, ...sums };
}

/** The clicks by people and by bots in the item of a day or a link. */
export function visitorsOf(numbers: { [humanAttribute]?: number; [botAttribute]?: number }) {
  return { people: numbers[humanAttribute] ?? 0, bots: numbers[botAttribute] ?? 0 };
}

/** The days' numbers in total, by attribute. */
export function addUp(days: Day[]): Numbers {
  const sums: Record<string, number> = {};
  for (const { numbers } of days) {
    for (const [attribute, number] of Object.entries(numbers)) {
      sums[attribute] = (sums[attribute] ?? 0) + number;
    }
  }
  return sums;
}
