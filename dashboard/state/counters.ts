import { type Signal, signal } from '@preact/signals';
import { type Counts, type DayCount, noCounts, raise } from './counts.ts';

const counters = new Map<string, Signal<Counts>>();

/** What is known about a link's clicks; every view of the link shows the same numbers. */
export function counterOf(code: string): Signal<Counts> {
  const counter = counters.get(code) ?? signal(noCounts);
  counters.set(code, counter);
  return counter;
}

/** Takes in numbers of a link; returns whether its total rose. */
export function takeCounts(code: string, news: { clicks?: number; days?: readonly DayCount[] }) {
  const counter = counterOf(code);
  const before = counter.value.clicks;
  counter.value = raise(counter.value, news);
  return counter.value.clicks > before;
}
