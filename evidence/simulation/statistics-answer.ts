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
  const answered: Partial<StatisticsAnswer> = JSON.parse(body ?? '{}');
  const expected = describe(stored, answered.breakdowns !== undefined);
  if (describe(answered, answered.breakdowns !== undefined) === expected) return undefined;
  return `expected ${expected}; the service answered ${body}`;
}

// Values that occur equally often may come in any order.
function describe(
  { clicks, bots, days = [], breakdowns = {} }: Partial<StatisticsAnswer>,
  isBrokenDown: boolean,
): string {
  if (!isBrokenDown) {
    return JSON.stringify({ clicks, days: days.map(({ date, count }) => ({ date, count })) });
  }
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
