/**
 * The longest delay from an API response to the push of the same number, and from a request to the
 * first message.
 */
const graceMs = 5_000;

/** Without another miss, pushes are trusted again after this time. */
const forgiveMs = 30_000;

/**
 * Notices that the API has counted more than was pushed, or that a watch isn't answered. Times are
 * in milliseconds.
 */
export function createMissedPushes(now: () => number) {
  const delivered = new Map<string, number>();
  const suspects = new Map<string, { clicks: number; since: number }>();
  let missedAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.POSITIVE_INFINITY;
  let isAnswered = false;

  const deliver = (code: string, clicks: number) => {
    const newest = Math.max(clicks, delivered.get(code) ?? 0);
    delivered.set(code, newest);
    if (newest >= (suspects.get(code)?.clicks ?? 0)) suspects.delete(code);
  };
  const settle = () => {
    for (const [code, { clicks, since }] of suspects) {
      if (now() - since < graceMs) continue;
      missedAt = now();
      deliver(code, clicks);
    }
  };
  return {
    /** The service was asked to watch exactly these links. */
    sawRequest(codes: ReadonlySet<string>) {
      const isAnswerDue = !isAnswered && codes.size > 0;
      // The others aren't pushed any more.
      for (const code of delivered.keys()) {
        if (codes.has(code)) continue;
        delivered.delete(code);
        suspects.delete(code);
      }
      askedAt = isAnswerDue ? now() : Number.POSITIVE_INFINITY;
    },
    /** A message arrived over the connection. */
    sawMessage() {
      isAnswered = true;
      askedAt = Number.POSITIVE_INFINITY;
    },
    sawPush(code: string, clicks: number) {
      missedAt = Number.NEGATIVE_INFINITY;
      deliver(code, clicks);
    },
    /** The response to a watch isn't a push, but its numbers are no longer missing. */
    sawWatching: deliver,
    sawRead(code: string, clicks: number) {
      const known = delivered.get(code);
      // Nothing is pushed before the link is watched.
      if (known === undefined || clicks <= known || suspects.has(code)) return;
      suspects.set(code, { clicks, since: now() });
    },
    /** Resets the state for a new connection. */
    forget() {
      isAnswered = false;
      delivered.clear();
      suspects.clear();
    },
    isMissing(): boolean {
      settle();
      return now() - missedAt < forgiveMs || now() - askedAt > graceMs;
    },
  };
}
