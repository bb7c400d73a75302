/** What get-link-stats answers about a link, but for its URL. */
export interface StatisticsAnswer {
  clicks: number;
  bots: number;
  /** Oldest first. */
  days: { date: string; count: number; bots: number }[];
  breakdowns: Record<string, { name: string; count: number }[]>;
}

/** Compares an answer with what is stored. Returns what is wrong. */
export function compareStatistics(
  stored: StatisticsAnswer,
  body: string | undefined,
): string | undefined {
  const expected = describeStatistics(stored);
  if (describeStatistics(JSON.parse(body ?? '{}')) === expected) return undefined;
  return `expected ${expected}; the service answered ${body}`;
}

/** Statistics as a text; values that occur equally often may come in any order. */
export function describeStatistics({
  clicks,
  bots,
  days = [],
  breakdowns = {},
}: Partial<StatisticsAnswer>): string {
  const lists = Object.entries(breakdowns).map(([breakdown, values]) => [
    breakdown,
    values.map(({ name, count }) => `${name}: ${count}`).toSorted(),
  ]);
  return JSON.stringify({
    ...{ clicks, bots },
    days: days.map((day) => ({ date: day.date, count: day.count, bots: day.bots })),
    breakdowns: Object.fromEntries(lists),
  });
}
