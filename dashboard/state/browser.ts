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
  setInterval(() => {
    now.value = Date.now();
  }, clockMs);
}
