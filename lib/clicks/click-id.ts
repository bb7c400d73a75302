import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { slotsPerSheet } from 'powertools-idempotency-transactional/sheets';
import { invariant } from '../invariant.ts';
import { mintSeed, openSheet, placedClickId, type SealedSheet } from './placed-id.ts';

/**
 * Sheets for clicks that are spread over many links, unless there are more queues. Clicks that share a sheet
 * share its write, but two batches can't write it at the same time.
 */
const sharedSheets = 4;

/** Clicks on at most this many links share one sheet: all their items fit into one transaction. */
const maxLinksOnOneSheet = 100;

/** An execution environment counts its clicks on each link from zero again after this many clicks. */
export const sampleSize = 8 * slotsPerSheet;

/** A link is busy if it has at least this many of a sample's clicks, and then has sheets of its own. */
const busyClicks = slotsPerSheet;

/** An environment is quiet if its last 128 clicks took at least this long, and then has one sheet for each queue. */
const quietMs = 8_000;

/** Open sheets that an environment remembers. Those of links that aren't busy any more go first. */
const maxOpenSheets = 32;

/** A click's id, and the number of its ClickQueue, from 0. */
export interface PlacedClick {
  clickId: string;
  queue: number;
}

/**
 * Creates a function that mints an id for a click on a link. Each execution environment has one.
 * Nothing is minted before the first id.
 *
 * Concurrent batches that share a sheet can't commit in parallel. So a hash assigns each code the
 * same shard, which is a sheet and a queue, in all environments. A batch then splits into transactions
 * that share neither links nor sheets, and batches from two queues share nothing. Only few links use all
 * queues, and a busy link as many as its clicks fill: an environment sends its clicks to one of them.
 */
export function createClickIds(
  queues = 1,
  mint = mintSeed,
  now = Date.now,
): (code: string) => PlacedClick {
  const traffic = new RecentTraffic(now);
  const sheets = new OpenSheets(mint);
  let offset: number | undefined;
  return (code) => {
    // Environments have different offsets, so together they use all of a link's queues.
    offset ??= hash(mint());
    const { sheet, queue } = chooseShard(code, traffic, { queues, offset });
    // No rule would match the click's source, so the bus would drop it.
    invariant(queue >= 0 && queue < queues, `a queue from 0 to ${queues - 1}`, queue);
    const clickId = sheets.mintId(sheet);
    traffic.add(code);
    return { clickId, queue };
  };
}

/** The name of an environment's sheet, which always has the same queue. */
interface Shard {
  sheet: string;
  queue: number;
}

function chooseShard(
  code: string,
  traffic: RecentTraffic,
  { queues, offset }: { queues: number; offset: number },
): Shard {
  if (traffic.hasFewLinks) return { sheet: 'few links', queue: offset % queues };
  const shards = traffic.isQuiet ? queues : Math.max(sharedSheets, queues);
  const shard = hash(code) % shards;
  const share = traffic.isQuiet ? undefined : traffic.shareOfBusy(code);
  if (share === undefined) return { sheet: `shared ${shard}`, queue: shard % queues };
  const spread = Math.ceil(share * queues);
  const queue = (shard + (offset % spread)) % queues;
  return { sheet: `busy ${code} ${queue}`, queue };
}

/** The sheets that an environment fills. Ids take the slots of a sheet in order, then those of a new one. */
class OpenSheets {
  readonly #mint: () => string;
  readonly #open = new LRUCache<string, { sheet: SealedSheet; filled: number }>({
    max: maxOpenSheets,
  });

  constructor(mint: () => string) {
    this.#mint = mint;
  }

  mintId(name: string): string {
    let current = this.#open.get(name);
    if (!current || current.filled === slotsPerSheet) {
      current = { sheet: openSheet(this.#mint()), filled: 0 };
      this.#open.set(name, current);
    }
    current.filled += 1;
    return placedClickId(current.sheet, current.filled - 1);
  }
}

/** What an environment's last clicks say about its traffic. */
class RecentTraffic {
  readonly #now: () => number;
  /** The current sample: its clicks on each link, and their number. */
  readonly #clicks = new Map<string, number>();
  #sampled = 0;
  /** When the last 128 clicks began. */
  #sinceMs: number | undefined;
  /** Busy links, each with its share of the clicks. */
  #busy = new Map<string, number>();
  hasFewLinks = false;
  isQuiet = true;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A busy link's share of the clicks; undefined for other links. */
  shareOfBusy(code: string): number | undefined {
    return this.#busy.get(code);
  }

  add(code: string): void {
    this.#sinceMs ??= this.#now();
    const count = (this.#clicks.get(code) ?? 0) + 1;
    this.#clicks.set(code, count);
    this.#sampled += 1;
    // A rush mustn't wait for the end of the sample.
    if (count >= busyClicks && !this.#busy.has(code)) this.#busy.set(code, count / this.#sampled);
    if (this.#sampled % slotsPerSheet === 0) this.#measureRate();
    if (this.#sampled === sampleSize) this.#endSample();
  }

  #measureRate(): void {
    const nowMs = this.#now();
    this.isQuiet = nowMs - (this.#sinceMs ?? nowMs) >= quietMs;
    this.#sinceMs = nowMs;
  }

  /**
   * The links that aren't busy are few if a batch's clicks fit into one transaction. If busy links get most of
   * the clicks, a batch has fewer of the others.
   */
  #endSample(): void {
    const links = [...this.#clicks];
    const busy = links.filter(([, count]) => count >= busyClicks);
    this.#busy = new Map(busy.map(([code, count]) => [code, count / sampleSize]));
    const otherLinks = links.length - busy.length;
    const otherClicks = sampleSize - busy.reduce((sum, [, count]) => sum + count, 0);
    this.hasFewLinks = otherLinks * sampleSize <= maxLinksOnOneSheet * otherClicks;
    this.#clicks.clear();
    this.#sampled = 0;
  }
}

function hash(text: string): number {
  return createHash('md5').update(text).digest().readUInt32BE();
}
