import { lineFields } from '../links/rules/link-fields.ts';
import type { OwnedLink } from '../links/storage/owned-links.ts';

/**
 * Whether a link's code, destination, tags or other texts contain all words, in any order. Case and accents
 * don't matter.
 */
export function matchesSearch(link: OwnedLink, search: string): boolean {
  const { code, url, tags = [] } = link;
  const texts = [code, url, ...tags, ...lineFields.map((name) => link[name] ?? '')];
  const text = simplify(texts.join('\n'));
  return simplify(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function simplify(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
}
