import { type Action, allActionsOf, type Entry, type Marker } from './entry.ts';
import { groupBy } from './group-by.ts';
import { groupRelated } from './pack.ts';

/** Entries that can be committed concurrently, or in one transaction. */
type Step = Entry[];

/**
 * Orders entries that write to the same item. A transaction accepts only one action on an item, so they
 * are committed one after another, in the order of arrival. Each step of a chain waits for the step
 * before it. Chains don't share items.
 */
export function chainEntries(entries: Entry[]): Step[][] {
  if (!entries.some(({ actions }) => actions.some(isOwn))) return [[entries]];
  const stepOf = numberSteps(entries);
  const atOnce: Entry[] = [];
  const chains: Step[][] = [];
  for (const related of groupRelated(entries)) {
    // An entry comes after those that it waits for, so this is the order of the steps.
    const steps = groupBy(related, (entry) => stepOf.get(entry) ?? 0);
    if (steps.size === 1) atOnce.push(...related);
    else chains.push([...steps.values()]);
  }
  return [[atOnce], ...chains];
}

// An entry's step comes after those of all earlier entries that it can't share a transaction with.
function numberSteps(entries: Entry[]): Map<Entry, number> {
  const lastOwn = new Map<string, number>();
  const lastAny = new Map<string, number>();
  const steps = new Map<Entry, number>();
  for (const entry of entries) {
    const all = allActionsOf(entry);
    const stepBefore = (action: Marker | Action) =>
      (isOwn(action) ? lastAny : lastOwn).get(action.itemId) ?? -1;
    const step = Math.max(...all.map(stepBefore)) + 1;
    for (const { itemId } of all) lastAny.set(itemId, Math.max(step, lastAny.get(itemId) ?? 0));
    for (const { itemId } of all.filter(isOwn)) lastOwn.set(itemId, step);
    steps.set(entry, step);
  }
  return steps;
}

// Writes can't be shared with another entry.
const isOwn = ({ kind }: { kind: string }) => kind === 'write';
