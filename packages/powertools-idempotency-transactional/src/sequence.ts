import type { Entry } from './entry.ts';
import { groupBy } from './group-by.ts';
import { groupRelated, itemIdsOf } from './pack.ts';

/** Entries that may be committed side by side, or in the same transaction. */
type Wave = Entry[];

/**
 * A transaction takes only one action on an item, so entries whose own writes meet at an item are
 * committed one after another, in the order of arrival: each sequence has waves, of which the next
 * must wait for the last. Sequences share no item.
 */
export function sequenceEntries(entries: Entry[]): Wave[][] {
  if (entries.every(({ writes }) => writes.length === 0)) return [[entries]];
  const waveOf = numberWaves(entries);
  const atOnce: Entry[] = [];
  const sequences: Wave[][] = [];
  for (const related of groupRelated(entries)) {
    // In the order of the waves: an entry stands behind the one that it waits for.
    const waves = groupBy(related, (entry) => waveOf.get(entry) ?? 0);
    if (waves.size === 1) atOnce.push(...related);
    else sequences.push([...waves.values()]);
  }
  return [[atOnce], ...sequences];
}

// An entry comes after all earlier ones with which it cannot share a transaction.
function numberWaves(entries: Entry[]): Map<Entry, number> {
  const lastOwn = new Map<string, number>();
  const lastAny = new Map<string, number>();
  const waves = new Map<Entry, number>();
  for (const entry of entries) {
    const own = new Set(entry.writes.map(({ id }) => id));
    let wave = 0;
    for (const id of itemIdsOf(entry)) {
      const before = (own.has(id) ? lastAny : lastOwn).get(id) ?? -1;
      wave = Math.max(wave, before + 1);
    }
    for (const id of itemIdsOf(entry)) lastAny.set(id, Math.max(wave, lastAny.get(id) ?? 0));
    for (const id of own) lastOwn.set(id, wave);
    waves.set(entry, wave);
  }
  return waves;
}
