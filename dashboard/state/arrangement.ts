import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';

export const orders = { newest: 'Newest', people: 'Clicks by people', code: 'Code' };
export type Order = keyof typeof orders;

interface Arrangement {
  order: Order;
  /** Links whose code and destination lack this text are left out. Capital letters don't matter. */
  text: string;
  peopleOf: (code: string) => number;
}

/** Filters and sorts links, which are newest first. */
export function arrange(
  links: readonly LinkAnswer[],
  { order, text, peopleOf }: Arrangement,
): LinkAnswer[] {
  const wanted = text.trim().toLowerCase();
  const found = links.filter(
    ({ code, url }) => code.toLowerCase().includes(wanted) || url.toLowerCase().includes(wanted),
  );
  if (order === 'people') return found.sort((a, b) => peopleOf(b.code) - peopleOf(a.code));
  if (order === 'code') return found.sort((a, b) => a.code.localeCompare(b.code));
  return found;
}
