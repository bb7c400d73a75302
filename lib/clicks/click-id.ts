import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { slotsPerSheet } from 'powertools-idempotency-transactional/sheets';
import { mintSeed, openSheet, placedClickId, type SealedSheet } from './placed-id.ts';

/** Sheets for clicks that are spread over many links: a multiple of each possible number of queues. */
const sharedSheets = 8;

/** Clicks on at most this many links share one sheet: all their items fit into one transaction. */
const maxLinksOnOneSheet = 100;

/** An execution environment counts its clicks on each link from zero again after this many clicks. */
export const sampleSize = sharedSheets * slotsPerSheet;

/** A link is busy if it has at least this many of a sample's clicks, and then has sheets of its own. */
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
  /** The busy links, each with the number of queues that its clicks fill. */
  let busy = new Map<string, number>();
  let home: number | undefined;
  const countQueues = (count: number) => Math.ceil((count / sampled) * queues);
  const sample = (code: string) => {
    const count = (clicks.get(code) ?? 0) + 1;
    clicks.set(code, count);
    sampled += 1;
    // A rush mustn't wait for the end of the sample.
    if (count >= busyClicks && !busy.has(code)) busy.set(code, countQueues(count));
    if (sampled < sampleSize) return;
    const counts = [...clicks].filter(([, ofLink]) => ofLink >= busyClicks);
    busy = new Map(counts.map(([link, ofLink]) => [link, countQueues(ofLink)]));
    areFew = haveFewOthers(clicks, busy);
    clicks.clear();
    sampled = 0;
  };
  return (code) => {
    home ??= hash(mint());
    const shared = hash(code) % sharedSheets;
    const [first, spread] = areFew ? [0, queues] : [shared, busy.get(code) ?? 1];
    const queue = (first + (home % spread)) % queues;
    // A sheet has one queue, although its link may later fill another number of them.
    const lane = areFew ? 'few links' : busy.has(code) ? `${code} ${queue}` : shared;
    let current = open.get(lane);
    if (!current || current.filled === slotsPerSheet) {
      current = { sheet: openSheet(mint()), filled: 0 };
      open.set(lane, current);
    }
    const clickId = placedClickId(current.sheet, current.filled);
    current.filled += 1;
    sample(code);
    return { clickId, queue };
  };
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
