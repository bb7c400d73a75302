import { type Signal, signal } from '@preact/signals';
import { type Counts, type News, noCounts, raise } from './counts.ts';

const counters = new Map<string, Signal<Counts>>();

/** The known clicks of a link. All views of the link share them. */
export function counterOf(code: string): Signal<Counts> {
  const counter = counters.get(code) ?? signal(noCounts);
  counters.set(code, counter);
  return counter;
}

/** Merges a link's new numbers. Returns whether its total rose. */
export function takeCounts(code: string, news: News) {
  const counter = counterOf(code);
  const before = counter.value.clicks;
  counter.value = raise(counter.value, news);
  return counter.value.clicks > before;
}
