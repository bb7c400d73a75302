import { allActionsOf, type Entry } from './entry.ts';
import { groupBy } from './group-by.ts';
import { groupRelated } from './pack.ts';

/** Entries that may be committed side by side, or in the same transaction. */
type Step = Entry[];

/**
 * A transaction takes only one action on an item, so entries whose own writes meet at an item are
 * committed one after another, in the order of arrival: each chain has steps, of which the next
 * must wait for the last. Chains share no item.
 */
export function chainEntries(entries: Entry[]): Step[][] {
  if (!entries.some(({ actions }) => actions.some(isOwn))) return [[entries]];
  const stepOf = numberSteps(entries);
  const atOnce: Entry[] = [];
  const chains: Step[][] = [];
  for (const related of groupRelated(entries)) {
    // In the order of the steps: an entry stands behind the one that it waits for.
    const steps = groupBy(related, (entry) => stepOf.get(entry) ?? 0);
    if (steps.size === 1) atOnce.push(...related);
    else chains.push([...steps.values()]);
  }
  return [[atOnce], ...chains];
}

// An entry comes after all earlier ones with which it cannot share a transaction.
function numberSteps(entries: Entry[]): Map<Entry, number> {
  const lastOwn = new Map<string, number>();
  const lastAny = new Map<string, number>();
  const steps = new Map<Entry, number>();
  for (const entry of entries) {
    const all = allActionsOf(entry);
    let step = 0;
    for (const action of all) {
      const before = (isOwn(action) ? lastAny : lastOwn).get(action.itemId) ?? -1;
      step = Math.max(step, before + 1);
    }
    for (const { itemId } of all) lastAny.set(itemId, Math.max(step, lastAny.get(itemId) ?? 0));
    for (const { itemId } of all.filter(isOwn)) lastOwn.set(itemId, step);
    steps.set(entry, step);
  }
  return steps;
}

// Writes can't be shared with another entry.
const isOwn = ({ kind }: { kind: string }) => kind === 'write';
