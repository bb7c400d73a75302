import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { slotsPerSheet } from 'powertools-idempotency-transactional';
import { mintSeed, openSheet, placedClickId, type SealedSheet } from './placed-id.ts';

/** Sheets for clicks that are spread over many links: a multiple of each possible number of queues. */
const sharedSheets = 8;

/** Clicks on at most this many links share one sheet: all their items fit into one transaction. */
const maxLinksOnOneSheet = 100;

/** An execution environment looks at its clicks' links again after this many clicks. */
export const sampleSize = sharedSheets * slotsPerSheet;

/** A link is busy if it has more of a sample's clicks than this, and then has sheets of its own. */
const busyClicks = sampleSize / sharedSheets;

/** Open sheets that an environment remembers. Those of links that aren't busy any more go first. */
const maxOpenSheets = 32;

/** A click's id, and the number of its ClickQueue, from 0. */
export interface PlacedClick {
  clickId: string;
  queue: number;
}

/**
 * Creates a function that mints an id for a click on a link. Each execution environment has one.
 * Ids fill the slots of a sheet in order, then those of a new sheet. Nothing is minted before the
 * first id.
 *
 * Concurrent batches that share a sheet can't commit in parallel. So a hash assigns each code the
 * same sheet number and queue in all environments. A batch then splits into transactions that share
 * neither links nor sheets, and batches from two queues share nothing. Only few or busy links use
 * all queues: an environment sends its clicks on them to one queue.
 */
export function createClickIds(queues = 1, mint = mintSeed): (code: string) => PlacedClick {
  const open = new LRUCache<string | number, { sheet: SealedSheet; filled: number }>({
    max: maxOpenSheets,
  });
  const clicks = new Map<string, number>();
  let sampled = 0;
  let links: Links = { areFew: false, busy: new Set() };
  let home: number | undefined;
  return (code) => {
    home ??= hash(mint());
    clicks.set(code, (clicks.get(code) ?? 0) + 1);
    sampled += 1;
    if (sampled === sampleSize) {
      links = describeLinks(clicks);
      clicks.clear();
      sampled = 0;
    }
    const shared = hash(code) % sharedSheets;
    const own = links.areFew ? 'few links' : links.busy.has(code) ? code : undefined;
    const lane = own ?? shared;
    let current = open.get(lane);
    if (!current || current.filled === slotsPerSheet) {
      current = { sheet: openSheet(mint()), filled: 0 };
      open.set(lane, current);
    }
    const clickId = placedClickId(current.sheet, current.filled);
    current.filled += 1;
    return { clickId, queue: (own === undefined ? shared : home) % queues };
  };
}

interface Links {
  /** Are the links that aren't busy so few that a batch's clicks fit into one transaction? */
  areFew: boolean;
  busy: ReadonlySet<string>;
}

function describeLinks(clicks: ReadonlyMap<string, number>): Links {
  const others = [...clicks].filter(([, count]) => count <= busyClicks);
  const otherClicks = others.reduce((sum, [, count]) => sum + count, 0);
  const busy = new Set(clicks.keys()).difference(new Set(others.map(([code]) => code)));
  // If busy links get most of the clicks, a batch has fewer of the others.
  return { areFew: others.length * sampleSize <= maxLinksOnOneSheet * otherClicks, busy };
}

function hash(text: string): number {
  return createHash('md5').update(text).digest().readUInt32BE();
}
