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
class Packing {
  readonly entries: Entry[];
  readonly itemIds: Set<string>;
  /** The attributes of each item that increments add to. */
  readonly #attributes = new Map<string, Set<string>>();
  #bytes: number;

  constructor(entries: Entry[]) {
    const actions = entries.flatMap(allActionsOf);
    this.entries = [...entries];
    this.itemIds = new Set(actions.map(({ itemId }) => itemId));
    this.#bytes = actions.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const action of actions) {
      if (action.kind !== 'increment') continue;
      this.#addAttributes(
        action.itemId,
        action.increments.map(({ attribute }) => attribute),
      );
    }
  }

  /** Whether it fits into one transaction. */
  get fits(): boolean {
    const fitUpdates = [...this.#attributes.values()].every(({ size }) => size <= maxAttributes);
    return this.itemIds.size <= maxItems && this.#bytes <= maxBytes && fitUpdates;
  }

  /** Whether a group fits in, which adds this number of items. */
  hasRoomFor(group: Packing, addedItems: number, limit = maxItems): boolean {
    const hasRoom =
      this.itemIds.size + addedItems <= limit && this.#bytes + group.#bytes <= maxBytes;
    return hasRoom && this.#fitUpdatesWith(group);
  }

  /** Whether the updates that two packings share can be one. */
  #fitUpdatesWith(group: Packing): boolean {
    return [...group.#attributes].every(([itemId, added]) => {
      const shared = this.#attributes.get(itemId);
      return !shared || new Set([...shared, ...added]).size <= maxAttributes;
    });
  }

  countNewItems(group: Packing): number {
    return [...group.itemIds].filter((itemId) => !this.itemIds.has(itemId)).length;
  }

  absorb(group: Packing): void {
    this.entries.push(...group.entries);
    this.#bytes += group.#bytes;
    for (const itemId of group.itemIds) this.itemIds.add(itemId);
    for (const [itemId, attributes] of group.#attributes) this.#addAttributes(itemId, attributes);
  }

  #addAttributes(itemId: string, added: Iterable<string>): void {
    const attributes = this.#attributes.get(itemId) ?? new Set();
    this.#attributes.set(itemId, attributes);
    for (const attribute of added) attributes.add(attribute);
  }
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
    const group = new Packing(related);
    const host = findUnrelatedHost(whole, group, freeRequests);
    if (!group.fits) queues.push(splitRelated(related));
    else if (host) host.absorb(group);
    else whole.push(group);
  }
  return [...queues, ...whole.map((packing) => [packing])].map((packings) =>
    packings.map((packing) => packing.entries),
  );
}

// Entries are related if they share an item, directly or through other entries.
function groupRelated(entries: Entry[]): Set<Entry[]> {
  const groupOf = new Map<string, Entry[]>();
  const groups = new Set<Entry[]>();
  for (const entry of entries) {
    const known = allActionsOf(entry).map(({ itemId }) => groupOf.get(itemId));
    const touched = [...new Set(known.filter((group) => group !== undefined))];
    const bySize = touched.sort((a, b) => b.length - a.length);
    const largest = bySize[0] ?? [];
    const absorbed = bySize.slice(1);
    const moved = [...absorbed.flat(), entry];
    largest.push(...moved);
    groups.add(largest);
    for (const group of absorbed) groups.delete(group);
    for (const { itemId } of moved.flatMap(allActionsOf)) groupOf.set(itemId, largest);
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
  const groups = [...groupBy(inOrder, groupOf).values()].map((group) => new Packing(group));
  for (const group of groups.sort((a, b) => b.itemIds.size - a.itemIds.size)) {
    const host = findHost(packings, group);
    if (!group.fits) packings.push(...fill(group.entries));
    else if (host) host.absorb(group);
    else packings.push(group);
  }
  return packings;
}

function findHost(packings: Packing[], group: Packing): Packing | undefined {
  let best: Packing | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const packing of packings) {
    const added = packing.countNewItems(group);
    if (added >= fewest || !packing.hasRoomFor(group, added)) continue;
    best = packing;
    fewest = added;
  }
  return best;
}

function fill(entries: Entry[]): Packing[] {
  const packings: Packing[] = [];
  for (const entry of entries) {
    const next = new Packing([entry]);
    const host = findHost(packings.slice(-1), next);
    if (host) host.absorb(next);
    else packings.push(next);
  }
  return packings;
}

// The packings hold unrelated entries, so they don't have items in common.
function findUnrelatedHost(
  packings: Packing[],
  group: Packing,
  freeRequests: number,
): Packing | undefined {
  const limit = packings.length < freeRequests ? comfortableItems : maxItems;
  return packings.find((packing) => packing.hasRoomFor(group, group.itemIds.size, limit));
}

function countItems(packings: Packing[]): number {
  return packings.reduce((sum, { itemIds }) => sum + itemIds.size, 0);
}
