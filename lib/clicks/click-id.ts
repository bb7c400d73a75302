import { createHash } from 'node:crypto';
import { v7 as mintProducer } from 'uuid';
import { slotsPerPage } from '../idempotency/index.ts';
import { placedClickId } from '../keys.ts';

/** How many pages an environment fills side by side, if its clicks are on many links. */
const pagesAtOnce = 8;

/** Clicks on so few links share one page: the links' items and the page's fit into a transaction. */
const maxLinksOnOnePage = 100;

/** After so many ids, an environment looks again at how many links its clicks are on. */
export const sampleSize = 8 * slotsPerPage;

interface Page {
  number: number;
  filled: number;
}

/**
 * Creates a source of click ids, which is given the link's code. Its producer is minted with the
 * first id, so it belongs to one execution environment; no two sources may share one. Ids take the
 * slots of a page in order, then those of a new page.
 *
 * A page ties the links of its clicks together, and concurrent batches that share a page cannot be
 * committed side by side. So each code has its page, by a hash that is the same in all environments:
 * a batch falls apart into transactions that share neither links nor pages.
 */
export function createClickIds(mint: () => string = mintProducer): (code: string) => string {
  const chooseLane = createLanes();
  const open = new Map<number, Page>();
  let producer: string | undefined;
  let pages = 0;
  return (code) => {
    producer ??= mint();
    const lane = chooseLane(code);
    let page = open.get(lane);
    if (!page || page.filled === slotsPerPage) {
      page = { number: pages, filled: 0 };
      open.set(lane, page);
      pages += 1;
    }
    page.filled += 1;
    return placedClickId(producer, page.number, page.filled - 1);
  };
}

// Clicks on few links share a page, because their batches fit into one transaction anyway.
function createLanes(): (code: string) => number {
  let lanes = pagesAtOnce;
  let minted = 0;
  const codes = new Set<string>();
  return (code) => {
    if (codes.size <= maxLinksOnOnePage) codes.add(code);
    minted += 1;
    if (minted % sampleSize === 0) {
      lanes = codes.size <= maxLinksOnOnePage ? 1 : pagesAtOnce;
      codes.clear();
    }
    return hash(code) % lanes;
  };
}

function hash(code: string): number {
  return createHash('md5').update(code).digest().readUInt32BE();
}
