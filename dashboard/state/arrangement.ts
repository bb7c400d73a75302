import { computed, effect, signal } from '@preact/signals';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { lineFields } from '../../lib/links/link-fields.ts';
import { hash } from './browser.ts';
import { counterOf } from './counters.ts';
import type { Counts } from './counts.ts';
import { links } from './links.ts';
import { parseRoute } from './route.ts';

export const orders = {
  newest: 'Newest',
  clicks: 'Clicks',
  people: 'Clicks by people',
  code: 'Code',
};
export type Order = keyof typeof orders;

interface Arrangement {
  order: Order;
  /** Links that have this text in none of the searched fields are left out. Case doesn't matter. */
  query: string;
  /** Links without this tag are left out. */
  tag?: string;
  /** The code of a link that isn't left out. */
  kept?: string;
  countsOf: (code: string) => Counts;
}

const { compare } = new Intl.Collator('en');

/** What the viewer searches, and the order. They outlive a visit to a link's own page. */
export const query = signal('');
export const order = signal<Order>('newest');

/** The tag in the list's address. It outlives a visit to a link's own page too. */
export const tag = signal<string | undefined>(undefined);

let kept: string | undefined;

/** Keeps a link among those found until the viewer searches anew, even if it changes. */
export function keep(code: string): void {
  kept = code;
}

export function search(text: string): void {
  kept = undefined;
  query.value = text;
}

effect(() => {
  const route = parseRoute(hash.value);
  if (route.view !== 'links' || route.tag === tag.peek()) return;
  kept = undefined;
  tag.value = route.tag;
});

/**
 * The loaded links that the search finds, in their order. Pushes don't reorder them under the
 * viewer's hand. The next read does.
 */
export const found = computed(() =>
  arrange(links.value ?? [], {
    order: order.value,
    query: query.value,
    tag: tag.value,
    kept,
    countsOf: (code) => counterOf(code).peek(),
  }),
);

/** Filters and sorts links, which are newest first. */
export function arrange(
  all: readonly LinkAnswer[],
  { order, query, tag, kept, countsOf }: Arrangement,
): LinkAnswer[] {
  const wanted = query.trim().toLowerCase();
  const matches = all.filter(
    (link) =>
      link.code === kept ||
      ((tag === undefined || link.tags?.includes(tag)) && isFound(link, wanted)),
  );
  if (order === 'newest') return matches;
  if (order === 'code') return matches.sort((a, b) => compare(a.code, b.code));
  return matches.sort((a, b) => countsOf(b.code)[order] - countsOf(a.code)[order]);
}

function isFound(link: LinkAnswer, wanted: string): boolean {
  const { code, url, tags = [] } = link;
  const texts = [code, url, ...tags, ...lineFields.map((name) => link[name] ?? '')];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
