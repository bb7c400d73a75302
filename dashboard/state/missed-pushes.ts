/** A push may come this much later than the answer that has the same number. */
const graceMs = 5_000;

/** Without a further miss, pushes are trusted again after this time. */
const forgiveMs = 30_000;

/** Notices that the API has counted more than was pushed. */
export interface MissedPushes {
  sawPush(code: string, clicks: number): void;
  /** The answer to watching a link is no push, but what it says is no longer missing. */
  sawWatching(code: string, clicks: number): void;
  sawRead(code: string, clicks: number): void;
  forget(): void;
  isMissing(): boolean;
}

/** Compares what is pushed with what is read. Times are in milliseconds. */
export function createMissedPushes(now: () => number): MissedPushes {
  const delivered = new Map<string, number>();
  const suspects = new Map<string, { clicks: number; since: number }>();
  let missedAt = Number.NEGATIVE_INFINITY;

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
    sawPush(code, clicks) {
      missedAt = Number.NEGATIVE_INFINITY;
      deliver(code, clicks);
    },
    sawWatching: deliver,
    sawRead(code, clicks) {
      const known = delivered.get(code);
      // Before the link is watched, nothing is pushed.
      if (known === undefined || clicks <= known || suspects.has(code)) return;
      suspects.set(code, { clicks, since: now() });
    },
    forget() {
      delivered.clear();
      suspects.clear();
    },
    isMissing() {
      settle();
      return now() - missedAt < forgiveMs;
    },
  };
}
