import { computed, effect, signal } from '@preact/signals';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { lineFields } from '../../lib/links/rules/link-fields.ts';
import { hash } from './browser.ts';
import { counterOf } from './counts.ts';
import { links } from './links.ts';
import { parseRoute } from './route.ts';

export const orders = {
  newest: 'Newest',
  clicks: 'Clicks',
  people: 'Clicks by people',
  code: 'Code',
};
export type Order = keyof typeof orders;

const { compare } = new Intl.Collator('en');

/** What the viewer searches, and the order. They outlive a visit to a link's own page. */
export const query = signal('');
export const order = signal<Order>('newest');

/** The tag in the list's address. It outlives a visit to a link's own page too. */
export const tag = signal<string>();

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

effect(() => {
  const route = parseRoute(hash.value);
  if (route.view === 'links') tag.value = route.tag;
});

/**
 * The loaded links that the search finds, in their order. Case doesn't matter. Pushes don't reorder
 * them under the viewer's hand. The next read does.
 */
export const found = computed(() => {
  const wanted = query.value.trim().toLowerCase();
  const { value } = tag;
  const matches = (links.value ?? []).filter(
    (link) =>
      link.code === kept ||
      ((value === undefined || link.tags?.includes(value)) && isFound(link, wanted)),
  );
  const by = order.value;
  if (by === 'newest') return matches;
  if (by === 'code') return matches.sort((a, b) => compare(a.code, b.code));
  return matches.sort((a, b) => counterOf(b.code).peek()[by] - counterOf(a.code).peek()[by]);
});

function isFound(link: LinkAnswer, wanted: string): boolean {
  const { code, url, tags = [] } = link;
  const texts = [code, url, ...tags, ...lineFields.map((name) => link[name] ?? '')];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
