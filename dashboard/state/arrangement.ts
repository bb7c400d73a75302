import { computed, effect, signal } from '@preact/signals';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { searchLinks } from '../../lib/links/rules/search.ts';
import { isWithoutBots } from './bots.ts';
import { hash, now, replaceHash } from './browser.ts';
import { counterOf } from './counts.ts';
import { links } from './links.ts';
import { loadListVisitors, recentVisitorsOf } from './list-visitors.ts';
import { hashOfList, parseRoute } from './route.ts';

// Browsers limit how often a page may change its address. They ignore a change that a reload's events make, so
// a reload within this time would lose what was typed.
const settleMs = 150;

export const orders = {
  newest: 'Newest',
  clicks: 'Clicks',
  people: 'Clicks by people',
  visitors: 'Visitors',
  code: 'Code',
};
export type Order = keyof typeof orders;

const { compare } = new Intl.Collator('en');

/** What the viewer searches, and the tag. They're in the list's address, and outlive a visit to a link's own page. */
export const query = signal('');
export const tag = signal<string>();

/** It outlives a visit to a link's own page too. */
export const order = signal<Order>('newest');

let soon: ReturnType<typeof setTimeout> | undefined;

/** Searches, and soon puts it into the address. */
export function search(text: string): void {
  query.value = text;
  clearTimeout(soon);
  soon = setTimeout(() => {
    if (parseRoute(hash.peek()).view === 'links') replaceHash(hashOfCurrentList());
  }, settleMs);
}

/** The address of the list as the viewer has it. */
export function hashOfCurrentList(): string {
  return hashOfList(tag.value, query.value);
}

let kept: string | undefined;

/** Keeps a link among those found until the viewer searches anew, even if it changes. */
export function keep(code: string): void {
  kept = code;
}

for (const searched of [query, tag]) {
  searched.subscribe(() => {
    kept = undefined;
  });
}

// They take many reads, so they're read for this order only.
effect(() => {
  if (order.value === 'visitors' && links.value) loadListVisitors();
});

effect(() => {
  const route = parseRoute(hash.value);
  if (route.view !== 'links') return;
  clearTimeout(soon);
  tag.value = route.tag;
  query.value = route.query ?? '';
});

/**
 * The loaded links that the search finds, in their order. Pushes don't reorder
 * them under the viewer's hand. The next read does.
 */
export const found = computed(() => {
  const all = links.value ?? [];
  const { value } = tag;
  const tagged = value === undefined ? all : all.filter(({ tags }) => tags?.includes(value));
  const wanted = new Set(searchLinks(tagged, query.value, now.peek()));
  const matches = all.filter((link) => link.code === kept || wanted.has(link));
  const by = order.value === 'clicks' && isWithoutBots.value ? 'people' : order.value;
  if (by === 'newest') return matches;
  if (by === 'code') return matches.sort((a, b) => compare(a.code, b.code));
  if (by === 'visitors') {
    const visitorsOf = (link: LinkAnswer) => recentVisitorsOf(link.code) ?? 0;
    return matches.sort((a, b) => visitorsOf(b) - visitorsOf(a));
  }
  return matches.sort((a, b) => counterOf(b.code).peek()[by] - counterOf(a.code).peek()[by]);
});
