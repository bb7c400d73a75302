import { sources } from './referrers.ts';
import type { Visit } from './visit.ts';

/**
 * One way to split a day's clicks. Each click has one value. The day's item has a number for each
 * value, and these numbers sum to the day's count.
 */
export type Breakdown = VisitBreakdown | TimeBreakdown;

interface BreakdownBase {
  /** Its name in statistics and, for a breakdown by visit, in an event's detail. */
  name: string;
  /**
   * Breakdowns introduced by the same release share a number, and later releases have higher ones.
   * A day with clicks from before a release lacks the same number of them in all its breakdowns.
   */
  generation: number;
}

/** Its values depend on the visit. Producers send them in an event's detail. */
interface VisitBreakdown extends BreakdownBase {
  /**
   * The attribute of each value. At most three characters each keep the day's item under 1 KB,
   * which is one write unit. Never change or reuse an attribute.
   */
  attributes: Readonly<Record<string, string>> & { other: string; unknown: string };
  /** Classifies a visit to this service. A value that isn't listed counts as other. */
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
  attributes: { human: 'vh', bot: 'vb', other: 'vo', unknown: 'vu' },
  classify: ({ isBot }) => (isBot ? 'bot' : 'human'),
} satisfies VisitBreakdown;

/** The attribute of a day's item that counts clicks by bots. */
export const botAttribute = visitor.attributes.bot;

/** To add a breakdown, append an entry: docs/how-to-add-a-breakdown.md. */
export const breakdowns: readonly Breakdown[] = [
  visitor,
  {
    name: 'device',
    generation: 1,
    attributes: { desktop: 'dd', mobile: 'dm', tablet: 'dt', other: 'do', unknown: 'du' },
    classify: ({ platform }) => platform,
  },
  {
    name: 'referrer',
    generation: 1,
    attributes: {
      direct: 'rd',
      own: 'rs',
      ...Object.fromEntries(sources.map(({ name, attribute }) => [name, attribute])),
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
];

/** Classifies a visit for its event's detail. Each value is in its breakdown's list. */
export function classifyVisit(visit: Visit): Record<string, string> {
  const values = breakdowns.flatMap((breakdown) => {
    if (!('classify' in breakdown)) return [];
    const value = breakdown.classify(visit);
    return [[breakdown.name, Object.hasOwn(breakdown.attributes, value) ? value : 'other']];
  });
  return Object.fromEntries(values);
}

/**
 * Chooses the attributes of the day's item that a click increments, one for each breakdown. A value
 * that isn't listed counts as other, whatever its type. A missing value counts as unknown.
 */
export function chooseAttributes(
  detail: Readonly<Record<string, unknown>>,
  instant: Date,
): string[] {
  return breakdowns.map((breakdown) =>
    'attributeAt' in breakdown
      ? breakdown.attributeAt(instant)
      : chooseAttribute(breakdown, detail[breakdown.name]),
  );
}

function chooseAttribute({ attributes }: VisitBreakdown, value: unknown): string {
  if (value === undefined || value === null) return attributes.unknown;
  const isKnown = typeof value === 'string' && Object.hasOwn(attributes, value);
  return (isKnown && attributes[value]) || attributes.other;
}
