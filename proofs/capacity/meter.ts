import { createHistogram } from 'node:perf_hooks';
import type { ClickMessage } from './click-source.ts';

/** Adds up measurements from a start time on. */
export class Meter {
  readonly #fromMs: number;
  /** From a click to the end of the invocation that counted it, in ms. */
  readonly lags = createHistogram();
  readonly sums = { counted: 0, batches: 0, invocationMs: 0, logBytes: 0 };
  maxInFlight = 0;

  constructor(fromMs: number) {
    this.#fromMs = fromMs;
  }

  /** Records the end of an invocation and the messages that it counted. */
  endBatch(startMs: number, counted: ClickMessage[], nowMs: number): void {
    if (nowMs < this.#fromMs) return;
    this.sums.batches += 1;
    this.sums.invocationMs += nowMs - startMs;
    this.sums.counted += counted.length;
    for (const { sentMs } of counted) this.lags.record(Math.max(1, Math.ceil(nowMs - sentMs)));
  }

  onLog(line: string, nowMs: number): void {
    if (nowMs >= this.#fromMs) this.sums.logBytes += Buffer.byteLength(line) + 1;
  }

  noteInFlight(inFlight: number, nowMs: number): void {
    if (nowMs >= this.#fromMs) this.maxInFlight = Math.max(this.maxInFlight, inFlight);
  }
}
