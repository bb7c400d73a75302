/** A total that somebody saw, and when. */
export interface Sighting {
  /** Milliseconds of the epoch. */
  atMs: number;
  clicks: number;
}

/**
 * How long each click took to be seen, in milliseconds: from its start until a total was first seen
 * that is at least the click's position in the order of the starts. A total does not tell which
 * clicks are in it. If a later click is counted before an earlier one, their times change places,
 * but their sum stays the same. A click that was never seen has no time.
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
