import pLimit from 'p-limit';
import { estimateVisitors, noVisitors, type Sketch, unite } from '../clicks/visitor-sketch.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import type { DayCount } from '../links/api/answer-schemas.ts';
import type { DaySketches } from '../links/storage/visitor-counts.ts';
import { querySketches } from '../links/storage/visitors.ts';
import type { DayRange } from './day-sums.ts';

/** The days of 500 links in 30 days and in the 30 days before, which takes about two seconds. */
const maxLinkDays = 30_000;
const readsAtOnce = 50;

export interface Periods {
  range: DayRange;
  current?: DayRange;
  before?: DayRange;
}

interface LinkDays {
  code: string;
  days: readonly DayCount[];
}

/** A period has no number if its visitors aren't known, or only those of its last days. */
interface Visitors {
  visitors?: number;
}

export interface OverviewVisitors {
  range: Visitors & {
    /** The first day with known visitors, if people followed the links on earlier ones. */
    visitorsSince?: string;
    /** Why there are no numbers: too many days, or not enough time. */
    unreadVisitors?: { linkDays: number; maxLinkDays: number };
  };
  current: Visitors;
  before: Visitors;
  /** By code. */
  links: ReadonlyMap<string, number>;
}

/**
 * Counts the different people who followed any of the links within periods: a union, so somebody who
 * follows two of them counts once. Reads each link's day with people, unless these are more than
 * {@link maxLinkDays}. After the deadline, in epoch milliseconds, it begins no more reads. A part of the
 * visitors is never returned as if they were all.
 */
export async function readVisitors(
  table: TableAccess,
  links: readonly LinkDays[],
  periods: Periods,
  deadlineMs: number,
): Promise<OverviewVisitors> {
  const { range, before } = periods;
  const wanted = [
    ...listDays(links, 'range', range),
    ...(before ? listDays(links, 'before', before) : []),
  ];
  const linkDays = wanted.reduce((sum, { days }) => sum + days.length, 0);
  const read: LinkUnions[] = [];
  if (linkDays <= maxLinkDays) {
    await pLimit(readsAtOnce).map(wanted, async (link) => {
      if (Date.now() < deadlineMs) read.push(await uniteLink(table, link, periods));
    });
  }
  if (read.length < wanted.length) {
    const unreadVisitors = { linkDays, maxLinkDays };
    return { range: { unreadVisitors }, current: {}, before: {}, links: new Map() };
  }
  return summarize(read, periods);
}

/** The current period is a part of the range, so it's read with it. */
type Span = 'range' | 'before';

interface WantedDays extends LinkDays {
  span: Span;
}

/** The days with people, of the links that have any. */
function listDays(links: readonly LinkDays[], span: Span, period: DayRange): WantedDays[] {
  return links.flatMap(({ code, days }) => {
    const ofPeople = days.filter((day) => day.people > 0 && isWithin(day, period));
    return ofPeople.length > 0 ? [{ code, span, days: ofPeople }] : [];
  });
}

/** What was read of a link in a span. */
interface LinkUnions extends WantedDays {
  unions: Readonly<Record<keyof Periods, Sketch>>;
  /** Its first day with known visitors. */
  first?: string;
}

async function uniteLink(
  table: TableAccess,
  wanted: WantedDays,
  { range, current, before }: Periods,
): Promise<LinkUnions> {
  const { code, days } = wanted;
  const sketches = await querySketches(table, code, {
    from: days[0]?.date,
    to: days.at(-1)?.date,
  });
  const unions = {
    range: uniteDays(sketches, range),
    current: uniteDays(sketches, current),
    before: uniteDays(sketches, before),
  };
  return { ...wanted, unions, first: [...sketches.keys()][0] };
}

function uniteDays(sketches: DaySketches, period?: DayRange): Sketch {
  if (!period) return noVisitors;
  const within = [...sketches].filter(([date]) => isWithin({ date }, period));
  return unite(within.map(([, sketch]) => sketch));
}

function summarize(read: readonly LinkUnions[], periods: Periods): OverviewVisitors {
  const firsts = read.flatMap(({ first }) => first ?? []).sort();
  const since = firsts[0] ?? never;
  const known = { periods, since };
  const ofRange = read.filter(({ span }) => span === 'range');
  const ofBefore = read.filter(({ span }) => span === 'before');
  const { visitors: ofAll, isComplete } = countPeriod(ofRange, 'range', known);
  const byCode = ofRange.flatMap((link) => {
    const { visitors } = countPeriod([link], 'range', known);
    return visitors === undefined ? [] : [[link.code, visitors] as const];
  });
  return {
    range: {
      visitors: ofAll,
      visitorsSince: isComplete || ofAll === undefined ? undefined : since,
    },
    current: onlyComplete(countPeriod(ofRange, 'current', known)),
    before: onlyComplete(countPeriod(ofBefore, 'before', known)),
    links: new Map(byCode),
  };
}

interface PeriodVisitors extends Visitors {
  /** Whether the visitors of all its days with people are known. */
  isComplete: boolean;
}

/** Counts the links' visitors in a period. They are known since a day, so before it, there's no number. */
function countPeriod(
  links: readonly LinkUnions[],
  name: keyof Periods,
  { periods, since }: { periods: Periods; since: string },
): PeriodVisitors {
  const period = periods[name];
  if (!period) return { isComplete: true };
  const days = links.flatMap((link) => link.days).filter((day) => isWithin(day, period));
  const people = sumPeople(days);
  const known = sumPeople(days.filter(({ date }) => date >= since));
  const isComplete = known === people;
  if (known === 0 && !isComplete) return { isComplete };
  const visitors = estimateVisitors(unite(links.map(({ unions }) => unions[name])));
  // A click's visitor is stored a moment after the click.
  return { isComplete, visitors: Math.min(known, visitors) };
}

function onlyComplete({ visitors, isComplete }: PeriodVisitors): Visitors {
  return isComplete ? { visitors } : {};
}

/** Later than any day. */
const never = '9999-12-32';

function isWithin({ date }: { date: string }, { from, to }: DayRange): boolean {
  return date >= from && date <= to;
}

function sumPeople(days: readonly DayCount[]): number {
  return days.reduce((sum, { people }) => sum + people, 0);
}
