import type { ClickMessage } from './click-source.ts';

/** A histogram of durations up to an hour, with a resolution of 1%. */
export class Durations {
  readonly #counts = new Map<number, number>();
  #count = 0;
  worstMs = 0;

  add(ms: number): void {
    const step = Math.ceil(Math.log(Math.max(1, ms)) / Math.log(1.01));
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + 1);
    this.#count += 1;
    this.worstMs = Math.max(this.worstMs, ms);
  }

  /** NaN if there are none. */
  quantileMs(share: number): number {
    let left = share * this.#count;
    for (const step of [...this.#counts.keys()].sort((a, b) => a - b)) {
      left -= this.#counts.get(step) ?? 0;
      if (left <= 0) return Math.min(this.worstMs, 1.01 ** step);
    }
    return Number.NaN;
  }
}

/** A batch's outcomes in the function's own metrics. */
export interface Outcomes {
  counted: number;
  duplicates: number;
}

/** Adds up measurements from a start time on. */
export class Meter {
  readonly #fromMs: number;
  readonly lags = new Durations();
  readonly sums = {
    ...{ counted: 0, batches: 0, batchClicks: 0, failed: 0, invocationMs: 0, logBytes: 0 },
    ...{ metricCounted: 0, metricDuplicates: 0 },
  };
  maxRunning = 0;
  maxDepth = 0;
  maxInFlight = 0;

  constructor(fromMs: number) {
    this.#fromMs = fromMs;
  }

  /** Records the end of an invocation and the messages that it counted. */
  endBatch(batch: { startMs: number; size: number }, counted: ClickMessage[], nowMs: number): void {
    if (nowMs < this.#fromMs) return;
    const { sums } = this;
    sums.batches += 1;
    sums.batchClicks += batch.size;
    sums.invocationMs += nowMs - batch.startMs;
    sums.counted += counted.length;
    sums.failed += batch.size - counted.length;
    for (const { sentMs } of counted) this.lags.add(nowMs - sentMs);
  }

  /** Reads a log line. The line with metrics has the number of duplicates. */
  onLog(line: string, nowMs: number): void {
    if (nowMs < this.#fromMs) return;
    this.sums.logBytes += Buffer.byteLength(line) + 1;
    if (!line.startsWith('{"_aws"')) return;
    const { ClicksCounted = 0, DuplicateClicks = 0 } = JSON.parse(line) as Record<string, number>;
    this.sums.metricCounted += ClicksCounted;
    this.sums.metricDuplicates += DuplicateClicks;
  }

  onTick(now: { running: number; depth: number; inFlight: number }, nowMs: number): void {
    if (nowMs < this.#fromMs) return;
    this.maxRunning = Math.max(this.maxRunning, now.running);
    this.maxDepth = Math.max(this.maxDepth, now.depth);
    this.maxInFlight = Math.max(this.maxInFlight, now.inFlight);
  }
}
