import { batch, computed, signal } from '@preact/signals';
import { addDays } from '../../lib/days.ts';
import type { GetLinkStatsAnswer, LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import type { DayCounts } from '../../lib/live/messages.ts';
import { pastOf, type Range, ranges } from '../days.ts';
import { today } from './browser.ts';
import {
  addCampaigns,
  addToday,
  type Campaigns,
  counterOf,
  newerDay,
  type Period,
  sumCounts,
  takeCounts,
  type Value,
} from './counts.ts';
import type { Overview } from './overview.ts';
import { explain, type Problem } from './problems.ts';
import { api, live } from './services.ts';
import { createVisitors } from './visitors.ts';

const gatherMs = 1_500;

/** A period before today. */
export interface Past extends Period {
  range: Range;
  /** The clicks of as many full days, and of the period before them, if the link existed then. */
  comparison?: Overview['comparison'];
  /** The range's UTM parameters. They include today as of the last read, since pushes lack them. */
  campaigns: Campaigns;
}

/** A link's view. The days before today are read; today is pushed. */
export function createLinkState(code: string, firstRange: Range) {
  const range = signal(firstRange);
  /** Undefined until it's read. */
  const answer = signal<LinkAnswer>();
  const problem = signal<Problem>();
  const lastPast = signal<Past>();
  const current = signal<DayCounts>();
  /** The value that is compared with all clicks, and its clicks on the days before today. */
  const value = signal<Value>();
  const pastOfValue = signal<{ of: Value; days: ReadonlyMap<string, number> }>();
  /** The days before today of the chosen range. Another range's aren't shown under its name. */
  const past = computed(() => (lastPast.value?.range === range.value ? lastPast.value : undefined));
  const period = computed(() =>
    past.value && current.value ? addToday(past.value, current.value) : undefined,
  );
  /** The first day of the clicks that are shown. */
  const from = computed(() => {
    return pastOf(range.value, today.value).from ?? period.value?.days[0]?.date ?? today.value;
  });
  const daysOfValue = computed(() => {
    if (!value.value || !current.value || pastOfValue.value?.of !== value.value) return undefined;
    const { breakdown, name } = value.value;
    const ofToday = current.value.breakdowns[breakdown]?.find((each) => each.name === name);
    return new Map(pastOfValue.value.days).set(current.value.date, ofToday?.count ?? 0);
  });
  let newest = 0;
  let later: ReturnType<typeof setTimeout> | undefined;

  const load = async () => {
    const request = ++newest;
    const wanted = range.peek();
    const date = today.peek();
    const of = value.peek();
    const days = pastOf(wanted, date);
    const full = fullDaysOf(wanted, date);
    try {
      const [before, now, compared, ofValue] = await Promise.all([
        api.readStats(code, days),
        api.readStats(code, { from: date, to: date }),
        full && api.readOverview({ code, ...full, compare: 'before', visitors: 'true' }),
        of && api.readValue(code, of, days),
      ]);
      if (request !== newest) return;
      batch(() => {
        take(date, now, {
          ...before,
          range: wanted,
          campaigns: addCampaigns(before.campaigns, now.campaigns),
          comparison: compareIfOlder(now.createdAt, compared?.comparison),
        });
        pastOfValue.value = of && ofValue && { of, days: ofValue };
      });
    } catch (error) {
      if (request === newest) problem.value = explain(error);
    }
  };
  const take = (date: string, now: GetLinkStatsAnswer, before: Past & GetLinkStatsAnswer) => {
    if (!isOlder(before, lastPast.peek())) lastPast.value = before;
    current.value = newerDay(current.peek(), toDay(date, now));
    answer.value = now;
    problem.value = undefined;
    const clicks = Math.max(before.clicks, now.clicks);
    takeCounts(code, { clicks, days: [...before.days, ...now.days] });
    live.sawRead(code, clicks);
  };
  const takeDay = (pushedCode: string, day: DayCounts) => {
    if (pushedCode !== code) return;
    if (day.date === today.peek()) current.value = newerDay(current.peek(), day);
    else {
      clearTimeout(later);
      later = setTimeout(load, gatherMs);
    }
  };
  const compare = (next?: Value) => {
    value.value = next;
    return load();
  };
  const replace = (updated: LinkAnswer) => {
    answer.value = updated;
  };
  const signals = { range, answer, problem, past, current, period, from, value, daysOfValue };
  const visitors = createVisitors(range);
  return { ...signals, code, counter: counterOf(code), visitors, load, takeDay, compare, replace };
}

/** Whether a read of a range has fewer clicks than a known one, which is therefore newer. */
function isOlder(read: Past, known?: Past): boolean {
  return known?.range === read.range && sumCounts(read.days) < sumCounts(known.days);
}

/** The statistics of one day. */
function toDay(date: string, { days, people, bots, breakdowns }: GetLinkStatsAnswer): DayCounts {
  return { date, count: days[0]?.count ?? 0, people, bots, breakdowns };
}

/** The full days of a range's length. The range "all" has no period before it. */
function fullDaysOf(range: Range, date: string) {
  const { days } = ranges[range];
  return Number.isFinite(days) ? { from: addDays(date, -days), to: addDays(date, -1) } : undefined;
}

/** A link that's younger than the period before would seem to have grown. */
function compareIfOlder(createdAt: string, comparison: Overview['comparison']) {
  const first = comparison?.before.from ?? '';
  return createdAt.slice(0, first.length) <= first ? comparison : undefined;
}

export type LinkState = ReturnType<typeof createLinkState>;
