import { type Entry, itemId } from './entry.ts';

/** TransactWriteItems takes 100 actions and 4 MB at most. */
export const maxItems = 100;
export const maxBytes = 4 * 1024 * 1024;

/** Transactions that must run one after another, since they share an item. */
export type Lane = Entry[][];

interface Bin {
  entries: Entry[];
  items: Set<string>;
  bytes: number;
}

/**
 * Packs entries into as few transactions as their relations allow. Entries that share an item are
 * kept together, so that the item is written once; where they are too many for one transaction,
 * theirs form a lane of their own, so that contention there holds up nobody else. Lanes share
 * nothing and may run side by side.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function packEntries(entries: Entry[]): Lane[] {
  const shared: Bin[] = [];
  const lanes: Bin[][] = [];
  for (const related of groupRelated(entries)) {
    const bins = splitRelated(related);
    const [only] = bins;
    if (bins.length > 1 || !only) {
      lanes.push(bins);
      continue;
    }
    const host = shared.find((bin) => fits(bin, only));
    if (host) merge(host, only);
    else shared.push(only);
  }
  return [...lanes, ...shared.map((bin) => [bin])].map((lane) => lane.map((bin) => bin.entries));
}

// Entries are related when they share an item, directly or through others.
function groupRelated(entries: Entry[]): Entry[][] {
  const groupOf = new Map<string, Entry[]>();
  const groups = new Set<Entry[]>();
  for (const entry of entries) {
    const ids = entry.increments.map(({ key }) => itemId(key));
    const touched = new Set(
      ids.map((id) => groupOf.get(id)).filter((group) => group !== undefined),
    );
    const [group = [], ...others] = touched;
    group.push(entry);
    groups.add(group);
    for (const id of ids) groupOf.set(id, group);
    for (const other of others) {
      group.push(...other);
      groups.delete(other);
      for (const { increments } of other) {
        for (const { key } of increments) groupOf.set(itemId(key), group);
      }
    }
  }
  return [...groups];
}

function splitRelated(entries: Entry[]): Bin[] {
  const bins: Bin[] = [];
  for (const entry of entries) {
    const single = measure(entry);
    const open = bins.at(-1);
    if (open && fits(open, single)) merge(open, single);
    else bins.push(single);
  }
  return bins;
}

function fits(bin: Bin, other: Bin): boolean {
  if (bin.bytes + other.bytes > maxBytes) return false;
  const items = bin.items.size + other.items.difference(bin.items).size;
  return bin.entries.length + other.entries.length + items <= maxItems;
}

function merge(bin: Bin, other: Bin): void {
  bin.entries.push(...other.entries);
  for (const id of other.items) bin.items.add(id);
  bin.bytes += other.bytes;
}

// The marker's JSON is longer than what DynamoDB counts for the item: names and values, no braces.
function measure(entry: Entry): Bin {
  return {
    entries: [entry],
    items: new Set(entry.increments.map(({ key }) => itemId(key))),
    bytes: Buffer.byteLength(JSON.stringify([entry.marker, entry.increments])),
  };
}
