import { v7 as mintProducer } from 'uuid';
import { slotsPerPage } from '../idempotency/index.ts';
import { placedClickId } from '../keys.ts';


interface Page {
  number: number;
  filled: number;
}

export function createClickIds(mint: () => string = mintProducer): (code: string) => string {
  let producer: string | undefined;
  let pages = 0;
  const open = new Map<number, Page>();
  return (code) => {
    producer ??= mint();
    const bucket = hash(code) % Number((globalThis as { K?: number }).K ?? 4);
    let page = open.get(bucket);
    if (!page || page.filled === slotsPerPage) {
      page = { number: pages, filled: 0 };
      pages += 1;
      open.set(bucket, page);
    }
    const slot = page.filled;
    page.filled += 1;
    return placedClickId(producer, page.number, slot);
  };
}

// FNV-1a with a finaliser.
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  }
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return (bits ^ (bits >>> 13)) >>> 0;
}
