import { v7 as mintProducer } from 'uuid';
import { slotsPerPage } from '../idempotency/index.ts';
import { placedClickId } from '../keys.ts';

/**
 * Creates a source of click ids. Its producer is minted with the first id, so it belongs to one
 * execution environment; no two sources may share one. Ids take the slots of a page in order, then
 * those of the next page.
 */
export function createClickIds(mint: () => string = mintProducer): () => string {
  let producer: string | undefined;
  let minted = 0;
  return () => {
    producer ??= mint();
    const [page, slot] = [Math.floor(minted / slotsPerPage), minted % slotsPerPage];
    minted += 1;
    return placedClickId(producer, page, slot);
  };
}
