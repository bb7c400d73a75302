import { type Breakdown, breakdowns } from './breakdowns.ts';

/** Counts by attribute, for one or more days. A missing attribute is 0. */
export type Numbers = Readonly<Record<string, number>>;

interface ValueCount {
  name: string;
  count: number;
}

/**
 * Lists the values of each breakdown that have clicks: hours in order, other values by frequency.
 * Clicks from before a breakdown existed count as unknown.
 */
export function listBreakdowns(numbers: Numbers, count: number): Record<string, ValueCount[]> {
  return Object.fromEntries(
    breakdowns.map((breakdown) => [breakdown.name, listValues(breakdown, numbers, count)]),
  );
}

/**
 * Finds the breakdowns whose values don't sum to the day's count. A breakdown lacks the clicks from
 * before it existed: the same number in all breakdowns of a generation, and at least that number in
 * later generations. So of a generation's only breakdown, it finds an excess, not a lack.
 */
export function findUneven(numbers: Numbers, count: number): { name: string; sum: number }[] {
  const sums = breakdowns.map((breakdown) => ({ ...breakdown, sum: sumOf(breakdown, numbers) }));
  const uneven: ReturnType<typeof findUneven> = [];
  let expected = count;
  for (const generation of Map.groupBy(sums, (breakdown) => breakdown.generation).values()) {
    expected = Math.min(expected, Math.max(...generation.map(({ sum }) => sum)));
    for (const { name, sum } of generation) if (sum !== expected) uneven.push({ name, sum });
  }
  return uneven;
}

function listValues(breakdown: Breakdown, numbers: Numbers, count: number): ValueCount[] {
  const missing = count - sumOf(breakdown, numbers);
  const { unknown, ...attributes }: Record<string, string> = breakdown.attributes;
  const values = Object.entries(attributes).map(([name, attribute]) => ({
    name,
    count: numbers[attribute] ?? 0,
  }));
  values.push({ name: 'unknown', count: missing + (unknown ? (numbers[unknown] ?? 0) : 0) });
  const occurring = values.filter((value) => value.count > 0);
  if ('attributeAt' in breakdown) return occurring.sort((a, b) => a.name.localeCompare(b.name));
  return occurring.sort((a, b) => b.count - a.count);
}

function sumOf({ attributes }: Breakdown, numbers: Numbers): number {
  return Object.values(attributes).reduce((sum, attribute) => sum + (numbers[attribute] ?? 0), 0);
}
