import { computed, signal } from '@preact/signals';
import { utcDay } from '../days.ts';

/** Whether the page is in the foreground. */
export const isVisible = signal(document.visibilityState === 'visible');

export const isOnline = signal(navigator.onLine);

/** Epoch milliseconds, a few seconds old. */
export const now = signal(Date.now());

export const today = computed(() => utcDay(now.value));

/** The address's fragment, including the "#". */
export const hash = signal(location.hash);

const clockMs = 15_000;
const scrollMs = 100;
/** After this, the viewer may have scrolled. */
const restoreMs = 10_000;

/** Keeps this file's signals up to date. */
export function followBrowser(): void {
  document.addEventListener('visibilitychange', () => {
    isVisible.value = document.visibilityState === 'visible';
    now.value = Date.now();
  });
  for (const type of ['online', 'offline']) {
    addEventListener(type, () => {
      isOnline.value = navigator.onLine;
    });
  }
  addEventListener('hashchange', () => {
    hash.value = location.hash;
  });
  followScroll();
  setInterval(() => {
    now.value = Date.now();
  }, clockMs);
}

/** Changes the address's fragment, without a new entry in the tab's history. */
export function replaceHash(next: string): void {
  history.replaceState(history.state, '', next);
  hash.value = location.hash;
}

/** Keeps the scroll position in the tab's history, because the browser restores it too early. */
function followScroll(): void {
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
