import { Attempt } from './attempt.ts';
import { allActionsOf, type Entry, maxItems, sharingOf } from './entry.ts';
import type { PendingEntry } from './pending-entry.ts';

/**
 * A request in flight holds back others on its items for this long, because they would only conflict
 * with it. Most requests take a tenth of it.
 */
export const stuckMs = 500;

/** Whether a request in flight holds back an attempt. */
export function isBlocked(attempt: Attempt, attempts: Iterable<Attempt>, nowMs: number): boolean {
  for (const other of attempts) {
    if (other.sentMs === undefined) continue;
    for (const itemId of busyItemsOf(other, nowMs)) if (attempt.items.has(itemId)) return true;
  }
  return false;
}

/** The items that no other transaction should touch now. */
function busyItemsOf(attempt: Attempt, nowMs: number): Iterable<string> {
  const { sentMs, items, contendedItems } = attempt;
  if (sentMs === undefined) return contendedItems;
  return nowMs < sentMs + stuckMs ? items.keys() : [];
}

/**
 * Returns the entries that can be sent together, or side by side: none of their items is busy, and they
 * can share each of them with all earlier entries that touch it. So writes to one item keep their order.
 */
export function findReady(
  waiting: readonly PendingEntry[],
  attempts: Iterable<Attempt>,
  nowMs: number,
): PendingEntry[] {
  const busy = new Set<string>();
  const earlier = new SharedItems();
  for (const attempt of attempts) {
    for (const itemId of busyItemsOf(attempt, nowMs)) busy.add(itemId);
    for (const [itemId, sharing] of attempt.items) earlier.add(itemId, sharing);
  }
  return waiting.filter(({ entry }) => {
    const actions = allActionsOf(entry);
    const isReady = actions.every(
      (action) => !busy.has(action.itemId) && earlier.accepts(action.itemId, sharingOf(action)),
    );
    for (const action of actions) earlier.add(action.itemId, sharingOf(action));
    return isReady;
  });
}

/** How entries share each item; undefined if they can't share it with any other. */
class SharedItems {
  readonly #sharing = new Map<string, string | undefined>();

  accepts(itemId: string, sharing: string | undefined): boolean {
    if (!this.#sharing.has(itemId)) return true;
    return sharing !== undefined && this.#sharing.get(itemId) === sharing;
  }

  add(itemId: string, sharing: string | undefined): void {
    this.#sharing.set(itemId, this.accepts(itemId, sharing) ? sharing : undefined);
  }
}

/** The entries as they're sent next. */
export function entriesOf(pending: readonly PendingEntry[]): Entry[] {
  return pending.map(({ entry }) => entry);
}

/**
 * Chooses the transactions to send now, at most as many as requests are free. Those with an item in
 * common go one after another, and those with the earliest entries first.
 */
export function chooseTransactions(
  ready: readonly PendingEntry[],
  packed: readonly Entry[][],
  free: number,
): Attempt[] {
  const rankOf = new Map(ready.map(({ entry }, index) => [entry, index]));
  const rank = (entries: Entry[]) => Math.min(...entries.map((entry) => rankOf.get(entry) ?? 0));
  const pendingOf = new Map(ready.map((pending) => [pending.entry, pending]));
  const chosen: Attempt[] = [];
  const taken = new Set<string>();
  for (const entries of packed.toSorted((a, b) => rank(a) - rank(b))) {
    if (chosen.length === free) break;
    const attempt = new Attempt(entries.flatMap((entry) => pendingOf.get(entry) ?? []));
    const itemIds = [...attempt.items.keys()];
    if (itemIds.some((itemId) => taken.has(itemId))) continue;
    for (const itemId of itemIds) taken.add(itemId);
    chosen.push(attempt);
  }
  return chosen;
}

/** The number of transactions that entries need which wait for these items. */
export function countBlocked(
  waiting: readonly PendingEntry[],
  itemIds: ReadonlySet<string>,
): number {
  const blocked = waiting
    .map(({ entry }) => allActionsOf(entry))
    .filter((actions) => actions.some(({ itemId }) => itemIds.has(itemId)));
  const items = new Set(blocked.flat().map(({ itemId }) => itemId));
  return Math.ceil(items.size / maxItems);
}
