import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { slotsPerSheet } from 'powertools-idempotency-transactional';
import { mintSeed, openSheet, placedClickId, type SealedSheet } from './placed-id.ts';

/** Sheets for clicks that are spread over many links: a multiple of each possible number of queues. */
const sharedSheets = 8;

/** Clicks on at most this many links share one sheet: all their items fit into one transaction. */
const maxLinksOnOneSheet = 100;

/** An execution environment counts its clicks on each link from zero again after this many clicks. */
export const sampleSize = sharedSheets * slotsPerSheet;

/** A link is busy if it has more than this share of the clicks, and then has sheets of its own. */
const busyShare = 1 / sharedSheets;

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
 * neither links nor sheets, and batches from two queues share nothing. Only few links use all
 * queues, and a busy link as many as its clicks fill: an environment sends its clicks to one of them.
 */
export function createClickIds(queues = 1, mint = mintSeed): (code: string) => PlacedClick {
  const open = new LRUCache<string | number, { sheet: SealedSheet; filled: number }>({
    max: maxOpenSheets,
  });
  const clicks = new Map<string, number>();
  let sampled = 0;
  let areFew = false;
  let busy: ReadonlyMap<string, number> = new Map();
  let home: number | undefined;
  const sample = (code: string) => {
    clicks.set(code, (clicks.get(code) ?? 0) + 1);
    sampled += 1;
    // A new environment, or a rush, mustn't wait for the whole sample.
    if (sampled % slotsPerSheet === 0) busy = findBusy(clicks, sampled, queues);
    if (sampled < sampleSize) return;
    areFew = haveFewOthers(clicks, busy);
    clicks.clear();
    sampled = 0;
  };
  return (code) => {
    home ??= hash(mint());
    const shared = hash(code) % sharedSheets;
    const lane = areFew ? 'few links' : busy.has(code) ? code : shared;
    let current = open.get(lane);
    if (!current || current.filled === slotsPerSheet) {
      current = { sheet: openSheet(mint()), filled: 0 };
      open.set(lane, current);
    }
    const clickId = placedClickId(current.sheet, current.filled);
    current.filled += 1;
    const [first, spread] = areFew ? [0, queues] : [shared, busy.get(code) ?? 1];
    const queue = (first + (home % spread)) % queues;
    sample(code);
    return { clickId, queue };
  };
}

/** The busy links, each with the number of queues that its clicks fill. */
function findBusy(clicks: ReadonlyMap<string, number>, sampled: number, queues: number) {
  const busy = [...clicks].filter(([, count]) => count > sampled * busyShare);
  return new Map(busy.map(([code, count]) => [code, Math.ceil((count / sampled) * queues)]));
}

/**
 * Whether the links that aren't busy are so few that a batch's clicks fit into one transaction. If busy
 * links get most of the clicks, a batch has fewer of the others.
 */
function haveFewOthers(clicks: ReadonlyMap<string, number>, busy: ReadonlyMap<string, number>) {
  const others = [...clicks].filter(([code]) => !busy.has(code));
  const otherClicks = others.reduce((sum, [, count]) => sum + count, 0);
  return others.length * sampleSize <= maxLinksOnOneSheet * otherClicks;
}

function hash(text: string): number {
  return createHash('md5').update(text).digest().readUInt32BE();
}
