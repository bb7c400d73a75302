/** How many times slower the engine may be at the end of a run than at its start. */
const maxSlowdown = 1.3;

/** Says that the engine slowed down during a run, so its figures aren't comparable; undefined if not. */
export function describeSlowdown(startMs: number, endMs: number): string | undefined {
  if (endMs <= maxSlowdown * startMs) return undefined;
  return (
    `expected the engine to be at most ${maxSlowdown} times slower at the end of the run; got ` +
    `${(endMs / startMs).toFixed(2)} times (${startMs.toFixed(1)} ms for a batch at first, ${endMs.toFixed(1)} ms ` +
    'at the end). Run it again on an idle machine; if it fails again, the engine slows down as its table grows.'
  );
}
