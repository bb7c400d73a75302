import { sources } from './referrers.ts';
import type { Visit } from './visit.ts';

/**
 * One way to split a day's clicks. Each click has one value, each value has a number on the day's
 * item, and these numbers sum to the day's count.
 */
export type Breakdown = VisitBreakdown | TimeBreakdown;

interface BreakdownBase {
  /** Its name in statistics and, for a visit's breakdown, in an event's detail. */
  name: string;
  /**
   * Breakdowns that one release introduced have one number, later ones a higher number. A day that
   * has clicks from before lacks them in all breakdowns of a generation alike.
   */
  generation: number;
}

/** Its values depend on the visit; producers send them in an event's detail. */
interface VisitBreakdown extends BreakdownBase {
  /**
   * The attribute of each value: at most three characters, so that the day's item stays under 1 KB,
   * which is one write unit. Never change one, and never use it for another value.
   */
  attributes: Readonly<Record<string, string>> & { other: string; unknown: string };
  /** The value of a visit to this service; one that is not in the list counts as other. */
  classify: (visit: Visit) => string;
}

/** Its values follow from the time of the click. */
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

/** The attribute of a day's item that counts the clicks of bots. */
export const botAttribute = visitor.attributes.bot;

/** To add a breakdown, add an entry at the end: docs/how-to-add-a-breakdown.md. */
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

/** The values of a visit, for the detail of its event; each is in its breakdown's list. */
export function classifyVisit(visit: Visit): Record<string, string> {
  const values = breakdowns.flatMap((breakdown) => {
    if (!('classify' in breakdown)) return [];
    const value = breakdown.classify(visit);
    return [[breakdown.name, Object.hasOwn(breakdown.attributes, value) ? value : 'other']];
  });
  return Object.fromEntries(values);
}

/**
 * The attributes of the day's item that a click raises, one for each breakdown. A value that is not
 * in the list counts as other, whatever its type; a missing one counts as unknown.
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
