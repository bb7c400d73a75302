/** How long a push may take after an answer with the same number, and the first message after a request. */
const graceMs = 5_000;

/** Without a further miss, pushes are trusted again after this time. */
const forgiveMs = 30_000;

/** Notices that the API has counted more than was pushed, or that watching gets no answer. */
interface MissedPushes {
  /** The service is asked to watch these links and no others. */
  sawRequest(codes: Iterable<string>): void;
  /** The service reaches the connection. */
  sawMessage(): void;
  sawPush(code: string, clicks: number): void;
  /** The answer to watching a link is no push, but what it says is no longer missing. */
  sawWatching(code: string, clicks: number): void;
  sawRead(code: string, clicks: number): void;
  /** The connection is a new one. */
  forget(): void;
  isMissing(): boolean;
}

/** Compares what is pushed with what is read. Times are in milliseconds. */
export function createMissedPushes(now: () => number): MissedPushes {
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
    sawRequest(codes) {
      const isAnswerDue = !isAnswered && [...codes].length > 0;
      askedAt = isAnswerDue ? now() : Number.POSITIVE_INFINITY;
    },
    sawMessage() {
      isAnswered = true;
      askedAt = Number.POSITIVE_INFINITY;
    },
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
      isAnswered = false;
      delivered.clear();
      suspects.clear();
    },
    isMissing() {
      settle();
      return now() - missedAt < forgiveMs || now() - askedAt > graceMs;
    },
  };
}
