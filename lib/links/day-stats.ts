import { listBreakdowns, type Numbers } from '../clicks/breakdown-sums.ts';
import { botAttribute } from '../clicks/breakdowns.ts';
import { type Day, sumDays } from './days.ts';

/**
 * Days as the statistics show them: the bots of each day and in total, and the breakdowns in total.
 */
export function summarizeDays(days: Day[]) {
  const numbers = addUp(days);
  return {
    bots: botsOf(numbers),
    days: days.map(({ date, count, numbers }) => ({ date, count, bots: botsOf(numbers) })),
    breakdowns: listBreakdowns(numbers, sumDays(days)),
  };
}

/** One day as the statistics show it, with its own breakdowns. */
export function summarizeDay(day: Day) {
  const { bots, breakdowns } = summarizeDays([day]);
  return { date: day.date, count: day.count, bots, breakdowns };
}

function botsOf(numbers: Numbers): number {
  return numbers[botAttribute] ?? 0;
}

function addUp(days: Day[]): Numbers {
  const sums: Record<string, number> = {};
  for (const { numbers } of days) {
    for (const [attribute, number] of Object.entries(numbers)) {
      sums[attribute] = (sums[attribute] ?? 0) + number;
    }
  }
  return sums;
}
