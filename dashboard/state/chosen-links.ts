import { computed, signal } from '@preact/signals';
import { found } from './arrangement.ts';
import { links } from './links.ts';

/** Whether rows have boxes to choose them. */
export const isChoosing = signal(false);
/** The codes of the chosen links. */
export const chosenCodes = signal<ReadonlySet<string>>(new Set());

export const chosen = computed(() =>
  (links.value ?? []).filter(({ code }) => chosenCodes.value.has(code)),
);
/** How many of the chosen links the search doesn't find. */
export const hiddenCount = computed(() => {
  const shown = new Set(found.value.map(({ code }) => code));
  return chosen.value.filter(({ code }) => !shown.has(code)).length;
});

export function choose(code: string, isChosen: boolean): void {
  const others = [...chosenCodes.peek()].filter((other) => other !== code);
  chosenCodes.value = new Set(isChosen ? [...others, code] : others);
}

export function chooseFound(): void {
  chosenCodes.value = new Set(found.peek().map(({ code }) => code));
}

export function chooseNone(): void {
  chosenCodes.value = new Set();
}
