import { computed, type Signal, signal } from '@preact/signals';
import { utcDay } from '../../lib/days.ts';

const clockMs = 15_000;
const scrollMs = 100;
/** After this, the viewer may have scrolled. */
const restoreMs = 10_000;

/** Whether the page is in the foreground. */
export const isVisible = follow(document, ['visibilitychange'], () => !document.hidden);

export const isOnline = follow(window, ['online', 'offline'], () => navigator.onLine);

/** Epoch milliseconds, a few seconds old. */
export const now = follow(document, ['visibilitychange'], () => Date.now());

export const today = computed(() => utcDay(now.value));

/** The address's fragment, including the "#". */
export const hash = follow(window, ['hashchange'], () => location.hash);

/** A signal whose value is read again after these events. */
function follow<T>(target: EventTarget, events: string[], read: () => T): Signal<T> {
  const value = signal(read());
  const update = () => {
    value.value = read();
  };
  for (const event of events) target.addEventListener(event, update);
  return value;
}

/** Keeps the clock up to date and, because the browser restores it too early, the scroll position. */
export function followBrowser(): void {
  setInterval(() => {
    now.value = Date.now();
  }, clockMs);
  history.scrollRestoration = 'manual';
  let soon: ReturnType<typeof setTimeout> | undefined;
  addEventListener('scroll', () => {
    const shown = location.hash;
    clearTimeout(soon);
    soon = setTimeout(() => {
      if (location.hash === shown) history.replaceState({ scroll: scrollY }, '');
    }, scrollMs);
  });
}

/** Changes the address's fragment, without a new entry in the tab's history. */
export function replaceHash(next: string): void {
  history.replaceState(history.state, '', next);
  hash.value = location.hash;
}

/** Scrolls to where the viewer was, as soon as the page is long enough. */
export function restoreScroll(): () => void {
  const top: number = history.state?.scroll ?? 0;
  const observer = new ResizeObserver(() => {
    scrollTo(0, top);
    if (scrollY + 1 >= top) observer.disconnect();
  });
  observer.observe(document.body);
  const stop = () => observer.disconnect();
  setTimeout(stop, restoreMs);
  return stop;
}
