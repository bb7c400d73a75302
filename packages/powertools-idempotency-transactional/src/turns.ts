import { allActionsOf, type Entry } from './entry.ts';
import { groupBy } from './group-by.ts';
import { groupRelated } from './pack.ts';

/** Entries that can be committed concurrently, or in one transaction. */
export type Turn = Entry[];

/**
 * Separates entries that can't share a transaction: payloads of one key, and entries of which one writes
 * to an item of the other. They're committed one after another, in their order: each turn of a list
 * waits for the turn before it. Lists don't share items, and don't wait for each other.
 */
export function takeTurns(entries: Entry[]): Turn[][] {
  const turnOf = numberTurns(entries);
  if (Math.max(0, ...turnOf.values()) === 0) return [[entries]];
  const atOnce: Turn = [];
  const lists: Turn[][] = [];
  for (const related of groupRelated(entries)) {
    // An entry comes after those that it waits for, so this is the order of the turns.
    const turns = groupBy(related, (entry) => turnOf.get(entry));
    if (turns.size === 1) atOnce.push(...related);
    else lists.push([...turns.values()]);
  }
  return [[atOnce], ...lists];
}

// An entry's turn comes after those of all earlier entries that it can't share a transaction with.
function numberTurns(entries: Entry[]): Map<Entry, number> {
  const lastOwn = new Map<string, number>();
  const lastAny = new Map<string, number>();
  const turns = new Map<Entry, number>();
  for (const entry of entries) {
    const items = allActionsOf(entry);
    const writes = items.filter(({ kind }) => kind === 'write');
    // Neither a key nor a written item is shared. No table's name has a space.
    const own = [`key ${entry.idempotencyKey}`, ...writes.map(({ itemId }) => itemId)];
    const any = [...own, ...items.map(({ itemId }) => itemId)];
    const before = [...own.map((id) => lastAny.get(id)), ...any.map((id) => lastOwn.get(id))];
    const turn = Math.max(...before.map((last = -1) => last)) + 1;
    for (const id of any) lastAny.set(id, Math.max(turn, lastAny.get(id) ?? 0));
    for (const id of own) lastOwn.set(id, turn);
    turns.set(entry, turn);
  }
  return turns;
}
