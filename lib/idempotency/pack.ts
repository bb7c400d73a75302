import type { Entry, Item } from './entry.ts';

/** TransactWriteItems takes at most 100 actions and 4 MB. */
const maxItems = 100;
const maxBytes = 4 * 1024 * 1024;

/** Transactions that run one after another, because they share an item. */
export type Lane = Entry[][];

interface Bin {
  entries: Entry[];
  itemIds: Set<string>;
  bytes: number;
}

/**
 * Packs entries into few transactions. Entries that share an item stay together, so that the item
 * is written once. If they need several transactions, these form a lane of their own, so that
 * contention there delays no other entry. Lanes share no item and may run side by side.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function packEntries(entries: Entry[]): Lane[] {
  if (entries.length === 1) return [[entries]];
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

// Entries are related if they share an item, directly or through other entries.
function groupRelated(entries: Entry[]): Set<Entry[]> {
  const groupOf = new Map<string, Entry[]>();
  const groups = new Set<Entry[]>();
  for (const entry of entries) {
    let group: Entry[] = [];
    for (const { id } of entry.updates) {
      const other = groupOf.get(id);
      if (!other || other === group) continue;
      for (const moved of group) other.push(moved);
      for (const moved of group) for (const update of moved.updates) groupOf.set(update.id, other);
      groups.delete(group);
      group = other;
    }
    group.push(entry);
    groups.add(group);
    for (const { id } of entry.updates) groupOf.set(id, group);
  }
  return groups;
}

function splitRelated(entries: Entry[]): Bin[] {
  let bin: Bin = { entries: [], itemIds: new Set(), bytes: 0 };
  const bins = [bin];
  for (const entry of entries) {
    const bytes = measure(entry.marker);
    const added = entry.updates.filter(({ id }) => !bin.itemIds.has(id)).length;
    const isFull = bin.entries.length + 1 + bin.itemIds.size + added > maxItems;
    if (bin.entries.length > 0 && (isFull || bin.bytes + bytes > maxBytes)) {
      bin = { entries: [], itemIds: new Set(), bytes: 0 };
      bins.push(bin);
    }
    bin.entries.push(entry);
    bin.bytes += bytes;
    for (const { id } of entry.updates) bin.itemIds.add(id);
  }
  return bins;
}

// The two bins hold unrelated entries, so they have no item in common.
function fits(bin: Bin, other: Bin): boolean {
  const items = bin.entries.length + other.entries.length + bin.itemIds.size + other.itemIds.size;
  return items <= maxItems && bin.bytes + other.bytes <= maxBytes;
}

function merge(bin: Bin, other: Bin): void {
  bin.entries.push(...other.entries);
  for (const id of other.itemIds) bin.itemIds.add(id);
  bin.bytes += other.bytes;
}

// DynamoDB counts names and values. The size of an incremented item is unknown here; counters are
// small.
function measure(marker: Item): number {
  let bytes = 0;
  for (const [name, { S = '', N = '' }] of Object.entries(marker)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(S) + Buffer.byteLength(N);
  }
  return bytes;
}
