import pLimit from 'p-limit';
import type { Sums } from './day-sums.ts';

/** The days of this many links are read, those with the most clicks. */
export const maxLinksRead = 500;
const linksAtOnce = 20;

/** The links whose days aren't read, and their clicks. */
export interface Unread {
  links: number;
  clicks: number;
}

/**
 * Reads links' days: those of the {@link maxLinksRead} links with the most clicks, until the deadline in epoch
 * milliseconds. Links without clicks aren't read.
 */
export async function readMostClicked<Link extends { sums: Sums }>(
  links: readonly Link[],
  deadlineMs: number,
  read: (link: Link) => Promise<void>,
): Promise<Unread> {
  const unread = { links: 0, clicks: 0 };
  const ranked = links
    .filter(({ sums }) => sums.clicks > 0)
    .sort((a, b) => b.sums.clicks - a.sums.clicks);
  await pLimit(linksAtOnce).map([...ranked.entries()], async ([index, link]) => {
    if (index < maxLinksRead && Date.now() < deadlineMs) return read(link);
    unread.links += 1;
    unread.clicks += link.sums.clicks;
  });
  return unread;
}
