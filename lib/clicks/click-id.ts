import { createHash } from 'node:crypto';
import { slotsPerSheet } from 'powertools-idempotency-transactional';
import { mintSeed, openSheet, placedClickId, type SealedSheet } from './placed-id.ts';

/** Sheets that an environment fills in parallel if its clicks are spread over many links. */
const sheetsAtOnce = 8;

/** Clicks on at most this many links share one sheet: all their items fit into one transaction. */
const maxLinksOnOneSheet = 100;

/** Re-estimates the number of active links after this many ids. */
export const sampleSize = sheetsAtOnce * slotsPerSheet;

/** A link is busy if it has more than this share of the ids since the last estimate. */
const busyShare = 1 / sheetsAtOnce;

/**
 * A busy link also needs more ids than this since the last estimate. With several queues the number
 * is low, because one queue gets all of a link's clicks until it's busy. With one queue, the link
 * may fill a sheet first.
 */
const leastBusyClicks = (queues: number) => (queues > 1 ? 16 : slotsPerSheet);

/** With 64 sheets, two busy links rarely share one. */
const busySheets = 64;

/** A click's id, and the number of its ClickQueue, from 0. */
export interface PlacedClick {
  clickId: string;
  queue: number;
}

interface OpenSheet {
  sheet: SealedSheet;
  filled: number;
}

/**
 * Creates a function that mints an id for a click on a link. Each execution environment has one.
 * Ids fill the slots of a sheet in order, then those of a new sheet. Nothing is minted before the
 * first id.
 *
 * Concurrent batches that share a sheet can't commit in parallel. So a hash assigns each code the
 * same sheet number and queue in all environments. A batch then splits into transactions that share
 * neither links nor sheets, and batches from two queues share nothing. Only a busy link uses several
 * queues, in proportion to its clicks, with its own sheets. Each environment sends its clicks on it to
 * one of them.
 */
export function createClickIds(queues = 1, mint = mintSeed): (code: string) => PlacedClick {
  const chooseLane = createLanes(queues);
  const open = new Map<string, OpenSheet>();
  let home: number | undefined;
  return (code) => {
    home ??= hash(mint());
    const { kind, number, spread } = chooseLane(code);
    const queue = (number + (home % spread)) % queues;
    const lane = `${kind} ${kind === 'busy' ? number % busySheets : number} ${queue}`;
    let current = open.get(lane);
    if (!current || current.filled === slotsPerSheet) {
      current = { sheet: openSheet(mint()), filled: 0 };
      open.set(lane, current);
    }
    const { sheet } = current;
    const clickId = placedClickId(sheet, current.filled);
    current.filled += 1;
    return { clickId, queue };
  };
}

interface Lane {
  kind: 'few' | 'busy' | 'shared';
  number: number;
  /** The number of queues from which each environment chooses one. */
  spread: number;
}

// Clicks on few links share a sheet, because a batch of them fits into one transaction anyway. If
// busy links get most of the clicks, the limit on the other links is lower in proportion.
function createLanes(queues: number): (code: string) => Lane {
  const clicks = new Map<string, number>();
  // The busy links, and how many queues their clicks fill.
  let busy = new Map<string, number>();
  let areFew = false;
  let minted = 0;
  const isBusy = (code: string) => (clicks.get(code) ?? 0) > minted * busyShare;
  const countQueues = (code: string) => Math.ceil(((clicks.get(code) ?? 0) / minted) * queues);
  const look = () => {
    busy = new Map([...clicks.keys()].filter(isBusy).map((code) => [code, countQueues(code)]));
    let others = minted;
    for (const code of busy.keys()) others -= clicks.get(code) ?? 0;
    areFew = (clicks.size - busy.size) * minted <= maxLinksOnOneSheet * others;
    clicks.clear();
    minted = 0;
  };
  return (code) => {
    const count = (clicks.get(code) ?? 0) + 1;
    if (count > 1 || clicks.size <= maxLinksOnOneSheet) clicks.set(code, count);
    minted += 1;
    const isNew = count > leastBusyClicks(queues) && !busy.has(code);
    if (isNew && isBusy(code)) busy.set(code, countQueues(code));
    if (minted === sampleSize) look();
    if (areFew) return { kind: 'few', number: 0, spread: queues };
    const ofCode = hash(code);
    const spread = busy.get(code);
    return spread
      ? { kind: 'busy', number: ofCode, spread }
      : { kind: 'shared', number: ofCode % sheetsAtOnce, spread: 1 };
  };
}

function hash(text: string): number {
  return createHash('md5').update(text).digest().readUInt32BE();
}
