import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { wallClock } from '../wall-clock.ts';
import type { Sums } from './day-sums.ts';

/** The days of this many links are read, those with the most clicks. */
const maxLinksRead = 500;
const linksAtOnce = 20;
/** Enough for two ranges, of about 5 KB each. */
const maxKeptReads = 2 * maxLinksRead;
const keptMs = 60_000;

/** The links whose days aren't read, and their clicks. */
export interface Unread {
  links: number;
  clicks: number;
}

export interface RangedLink {
  code: string;
  /** Its clicks in the range. */
  sums: Sums;
}

/**
 * Creates a function that reads links' days: those of the {@link maxLinksRead} links with the most clicks, until
 * the deadline in epoch milliseconds. Another call with the same parameters continues: what was read is kept
 * while the link has as many clicks. Links without clicks aren't read.
 */
export function createBoundedReads<Read extends object>() {
  const kept = new LRUCache<string, Read>({ max: maxKeptReads, ttl: keptMs, ...wallClock });
  return async <Link extends RangedLink>(
    links: readonly Link[],
    parameters: readonly unknown[],
    deadlineMs: number,
    read: (link: Link) => Promise<Read>,
  ) => {
    const unread: Unread = { links: 0, clicks: 0 };
    const done: { link: Link; read: Read }[] = [];
    const readLink = async (link: Link, isWanted: boolean) => {
      const key = JSON.stringify([link.code, link.sums.clicks, ...parameters]);
      const known = kept.get(key);
      if (known) {
        done.push({ link, read: known });
      } else if (isWanted && Date.now() < deadlineMs) {
        const result = await read(link);
        kept.set(key, result);
        done.push({ link, read: result });
      } else {
        unread.links += 1;
        unread.clicks += link.sums.clicks;
      }
    };
    const ranked = links
      .filter(({ sums }) => sums.clicks > 0)
      .sort((a, b) => b.sums.clicks - a.sums.clicks);
    await pLimit(linksAtOnce).map([...ranked.entries()], ([index, link]) =>
      readLink(link, index < maxLinksRead),
    );
    return { done, unread };
  };
}
