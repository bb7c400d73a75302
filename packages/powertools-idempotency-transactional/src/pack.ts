import { allActionsOf, type Entry, maxItems } from './entry.ts';
import { groupBy } from './group-by.ts';

/** TransactWriteItems accepts at most 4 MB. */
const maxBytes = 4 * 1024 * 1024;

/** DynamoDB accepts an update of 4 KB. Each attribute takes up to 11 bytes of it. */
const maxAttributes = 256;

/** The maximum number of requests in flight. The SDK has 50 sockets. */
export const maxRequests = 8;

/**
 * Unrelated entries fill a transaction up to this number of items while requests are free. A shorter
 * transaction costs the same, and has fewer conflicts (docs/decisions.md#contention-splits-a-transaction).
 */
const comfortableItems = 50;

/** Transactions that are sent one after another, because they share an item. */
type RequestQueue = Entry[][];

/** One transaction's entries, and the items that it writes. */
interface Packing {
  entries: Entry[];
  itemIds: Set<string>;
  bytes: number;
  /** The attributes of each item that increments add to. */
  attributes: Map<string, Set<string>>;
}

/**
 * Packs entries into few transactions that write few items. The entries' writes must be on different
 * items, as `findReady` arranges. Entries that share an item stay together, so that it's written
 * once. If they need several transactions, these have a request queue of their own, so that contention
 * there doesn't delay other entries. Request queues don't share items and can run concurrently.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function packEntries(entries: Entry[], freeRequests = maxRequests): RequestQueue[] {
  if (entries.length === 1) return [[entries]];
  const whole: Packing[] = [];
  const queues: Packing[][] = [];
  for (const related of groupRelated(entries)) {
    const group = toPacking(related);
    if (fitsAlone(group)) addWhole(whole, group, freeRequests);
    else queues.push(splitRelated(related));
  }
  return [...queues, ...whole.map((packing) => [packing])].map((packings) =>
    packings.map((packing) => packing.entries),
  );
}

// Entries are related if they share an item, directly or through other entries.
export function groupRelated(entries: Entry[]): Set<Entry[]> {
  const groupOf = new Map<string, Entry[]>();
  const groups = new Set<Entry[]>();
  for (const entry of entries) {
    const met = new Set(allActionsOf(entry).map(({ itemId }) => groupOf.get(itemId) ?? []));
    const [group = [], ...smaller] = [...met].sort((a, b) => b.length - a.length);
    const moved = [...smaller.flat(), entry];
    group.push(...moved);
    groups.add(group);
    for (const other of smaller) groups.delete(other);
    for (const { itemId } of moved.flatMap(allActionsOf)) groupOf.set(itemId, group);
  }
  return groups;
}

// Sheets and incremented items relate many entries to each other. If these don't fit into one
// transaction, either the sheets or the incremented items are written several times.
function splitRelated(entries: Entry[]): Packing[] {
  const byUpdate = split(entries, updateOf, sheetOf);
  if (entries.every(({ marker }) => marker?.kind !== 'slot')) return byUpdate;
  const bySheet = split(entries, sheetOf, updateOf);
  return countItems(bySheet) < countItems(byUpdate) ? bySheet : byUpdate;
}

const updateOf = ({ actions, idempotencyKey }: Entry) => actions[0]?.itemId ?? idempotencyKey;
const sheetOf = ({ marker, idempotencyKey }: Entry) => marker?.itemId ?? idempotencyKey;

// Keeps the entries of a group together, largest group first, and puts it where it adds the fewest items.
function split(
  entries: Entry[],
  groupOf: (entry: Entry) => string,
  orderOf: (entry: Entry) => string,
): Packing[] {
  const packings: Packing[] = [];
  const inOrder = [...groupBy(entries, orderOf).values()].flat();
  const groups = [...groupBy(inOrder, groupOf).values()].map(toPacking);
  for (const group of groups.sort((a, b) => b.itemIds.size - a.itemIds.size)) {
    if (fitsAlone(group)) {
      place(group, findHost(packings, group), packings);
    } else {
      packings.push(...fill(group.entries));
    }
  }
  return packings;
}

function findHost(packings: Packing[], group: Packing): Packing | undefined {
  let best: Packing | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const packing of packings) {
    const added = [...group.itemIds].filter((id) => !packing.itemIds.has(id)).length;
    const hasRoom = fits(packing.itemIds.size + added, packing.bytes + group.bytes);
    if (!hasRoom || added >= fewest || !fitUpdates(packing, group)) continue;
    best = packing;
    fewest = added;
  }
  return best;
}

function fill(entries: Entry[]): Packing[] {
  const packings: Packing[] = [];
  for (const next of entries.map((entry) => toPacking([entry]))) {
    place(next, findHost(packings.slice(-1), next), packings);
  }
  return packings;
}

// The packings hold unrelated entries, so they don't have items in common.
function addWhole(packings: Packing[], added: Packing, freeRequests: number): void {
  const limit = packings.length < freeRequests ? comfortableItems : maxItems;
  const host = packings.find((packing) =>
    fits(packing.itemIds.size + added.itemIds.size, packing.bytes + added.bytes, limit),
  );
  place(added, host, packings);
}

// Adds a group to its host, or makes it a packing of its own.
function place(group: Packing, host: Packing | undefined, packings: Packing[]): void {
  if (!host) {
    packings.push(group);
    return;
  }
  host.entries.push(...group.entries);
  for (const id of group.itemIds) host.itemIds.add(id);
  host.bytes += group.bytes;
  for (const [id, added] of group.attributes) {
    host.attributes.set(id, new Set([...(host.attributes.get(id) ?? []), ...added]));
  }
}

function toPacking(entries: Entry[]): Packing {
  const actions = entries.flatMap(allActionsOf);
  const attributes: Packing['attributes'] = new Map();
  for (const action of actions) {
    if (action.kind !== 'increment') continue;
    const added = attributes.get(action.itemId) ?? new Set<string>();
    attributes.set(action.itemId, added);
    for (const { attribute } of action.increments) added.add(attribute);
  }
  return {
    entries,
    itemIds: new Set(actions.map(({ itemId }) => itemId)),
    bytes: actions.reduce((sum, { bytes }) => sum + bytes, 0),
    attributes,
  };
}

function fitsAlone({ itemIds, bytes, attributes }: Packing): boolean {
  const fitUpdates = [...attributes.values()].every(({ size }) => size <= maxAttributes);
  return fits(itemIds.size, bytes) && fitUpdates;
}

/** Whether the updates that two packings share can be one. */
function fitUpdates(packing: Packing, group: Packing): boolean {
  return [...group.attributes].every(([id, added]) => {
    const shared = packing.attributes.get(id);
    return !shared || new Set([...shared, ...added]).size <= maxAttributes;
  });
}

function fits(items: number, bytes: number, limit = maxItems): boolean {
  return items <= limit && bytes <= maxBytes;
}

function countItems(packings: Packing[]): number {
  return packings.reduce((sum, { itemIds }) => sum + itemIds.size, 0);
}
