/** A total that a connection or the screen showed. */
export interface Sighting {
  /** Epoch milliseconds. */
  atMs: number;
  clicks: number;
}

/**
 * Each click's delay in milliseconds: from its start until the total first reached its position in the
 * order of the starts. A total doesn't say which clicks are in it. If a later click is counted before
 * an earlier one, their delays are swapped, but the sum is the same. A click that was never seen has no
 * delay.
 */
export function measureDelays(
  startsMs: readonly number[],
  sightings: readonly Sighting[],
): number[] {
  const ordered = startsMs.toSorted((a, b) => a - b);
  let next = 0;
  return ordered.flatMap((startMs, index) => {
    while ((sightings[next]?.clicks ?? Infinity) < index + 1) next += 1;
    const seen = sightings[next];
    return seen ? [seen.atMs - startMs] : [];
  });
}
