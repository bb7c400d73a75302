import { createHash } from 'node:crypto';
import { slotsPerSheet } from 'powertools-idempotency-transactional';
import { mintSeed, openSheet, placedClickId, type SealedSheet } from './placed-id.ts';

/** Sheets that an environment fills in parallel if its clicks are on many links. Their numbers choose the queue. */
const sheetsAtOnce = 8;

/** Clicks on at most this many links share one sheet: all their items fit into one transaction. */
const maxLinksOnOneSheet = 100;

/** The number of links is estimated anew after this many ids. */
export const sampleSize = sheetsAtOnce * slotsPerSheet;

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
 * neither links nor sheets, and batches from two queues share nothing. Clicks on few links fit into
 * one transaction anyway, so an environment that has only these fills one sheet, whose number is its
 * own. That's how one link's clicks reach several queues.
 */
export function createClickIds(queues = 1, mint = mintSeed): (code: string) => PlacedClick {
  const haveFewLinks = createLinkEstimate();
  const open = new Map<number, { sheet: SealedSheet; filled: number }>();
  let own: number | undefined;
  return (code) => {
    own ??= chooseSheet(mint());
    const number = haveFewLinks(code) ? own : chooseSheet(code);
    let current = open.get(number);
    if (!current || current.filled === slotsPerSheet) {
      current = { sheet: openSheet(mint()), filled: 0 };
      open.set(number, current);
    }
    const clickId = placedClickId(current.sheet, current.filled);
    current.filled += 1;
    return { clickId, queue: number % queues };
  };
}

/** Whether the last sample of ids was on few links. */
function createLinkEstimate(): (code: string) => boolean {
  const codes = new Set<string>();
  let minted = 0;
  let areFew = false;
  return (code) => {
    if (codes.size <= maxLinksOnOneSheet) codes.add(code);
    minted += 1;
    if (minted === sampleSize) {
      areFew = codes.size <= maxLinksOnOneSheet;
      codes.clear();
      minted = 0;
    }
    return areFew;
  };
}

function chooseSheet(text: string): number {
  return createHash('md5').update(text).digest().readUInt32BE() % sheetsAtOnce;
}
