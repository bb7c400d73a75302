import { batch, computed, signal } from '@preact/signals';
import type { GetLinkStatsAnswer, LinkAnswer } from '../../lib/links/answer-schemas.ts';
import type { DayCounts } from '../../lib/live/messages.ts';
import { pastOf, type Range } from '../days.ts';
import { today } from './browser.ts';
import { counterOf, takeCounts } from './counters.ts';
import { addToday, newerDay, type Period, sumCounts } from './counts.ts';
import { explain, type Problem } from './problems.ts';
import { api, live } from './services.ts';

const gatherMs = 1_500;

/** A link's view. The days before today are read; today is pushed. */
export function createLinkState(code: string) {
  const range = signal<Range>('30d');
  /** Undefined until it's read. */
  const answer = signal<LinkAnswer | undefined>(undefined);
  const problem = signal<Problem | undefined>(undefined);
  const past = signal<(Period & { range: Range }) | undefined>(undefined);
  const current = signal<DayCounts | undefined>(undefined);
  const period = computed(() =>
    past.value && current.value ? addToday(past.value, current.value) : undefined,
  );
  let newest = 0;
  let later: ReturnType<typeof setTimeout> | undefined;

  const load = async () => {
    const request = ++newest;
    const [wanted, date] = [range.peek(), today.peek()];
    try {
      const [before, now] = await Promise.all([
        api.readStats(code, pastOf(wanted, date)),
        api.readStats(code, { from: date, to: date }),
      ]);
      if (request === newest) batch(() => take(wanted, date, before, now));
    } catch (error) {
      if (request === newest) problem.value = explain(error);
    }
  };
  const take = (
    wanted: Range,
    date: string,
    before: GetLinkStatsAnswer,
    now: GetLinkStatsAnswer,
  ) => {
    const isOlder =
      past.peek()?.range === wanted &&
      sumCounts(before.days) < sumCounts((past.peek() ?? before).days);
    if (!isOlder) past.value = { range: wanted, days: before.days, breakdowns: before.breakdowns };
    current.value = newerDay(current.peek(), {
      date,
      count: now.days[0]?.count ?? 0,
      people: now.people,
      bots: now.bots,
      breakdowns: now.breakdowns,
    });
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
  return {
    code,
    range,
    answer,
    problem,
    past,
    current,
    period,
    counter: counterOf(code),
    load,
    takeDay,
    choose(next: Range) {
      range.value = next;
      load();
    },
  };
}

export type LinkState = ReturnType<typeof createLinkState>;
