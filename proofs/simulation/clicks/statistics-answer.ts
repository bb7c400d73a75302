import { breakdownNames, valueOfAttribute } from './breakdowns.ts';

/** get-link-stats' answer about a link, without its URL. */
export interface StatisticsAnswer {
  clicks: number;
  bots: number;
  /** Oldest first. */
  days: { date: string; count: number; bots: number }[];
  breakdowns: Record<string, { name: string; count: number }[]>;
}

/** The frequencies of each breakdown's values over several days. */
export function sumBreakdowns(
  days: Iterable<readonly [attribute: string, amount: number]>[],
): StatisticsAnswer['breakdowns'] {
  const sums: StatisticsAnswer['breakdowns'] = {};
  for (const breakdown of breakdownNames) sums[breakdown] = [];
  for (const [attribute, amount] of days.flatMap((day) => [...day])) {
    const value = valueOfAttribute.get(attribute);
    const values = value && sums[value.breakdown];
    const known = values?.find(({ name }) => name === value?.name);
    if (known) known.count += amount;
    else if (value) values?.push({ name: value.name, count: amount });
  }
  return sums;
}

/** Compares an answer with the stored values. Returns the problem, if any. */
export function compareStatistics(
  stored: StatisticsAnswer,
  body: string | undefined,
): string | undefined {
  const expected = describeStatistics(stored);
  if (describeStatistics(JSON.parse(body ?? '{}')) === expected) return undefined;
  return `expected ${expected}; the service answered ${body}`;
}

/** Statistics as text, independent of the order of breakdowns and of equally frequent values. */
function describeStatistics({
  clicks,
  bots,
  days = [],
  breakdowns = {},
}: Partial<StatisticsAnswer>): string {
  const lists = Object.entries(breakdowns)
    .map(([breakdown, values]) => [
      breakdown,
      values.map(({ name, count }) => `${name}: ${count}`).toSorted(),
    ])
    .toSorted();
  return JSON.stringify({
    ...{ clicks, bots },
    days: days.map((day) => ({ date: day.date, count: day.count, bots: day.bots })),
    breakdowns: Object.fromEntries(lists),
  });
}
