import { createRandom } from '../../../fixtures/random.ts';
import { ArrivalQueue } from '../../capacity/arrival-queue.ts';
import type { ClickMessage, SentClick } from '../../capacity/click-source.ts';
import { Mapping, type MappingSettings, tickMs } from '../../capacity/mapping.ts';

interface Invocation {
  atMs: number;
  batch: ClickMessage[];
  receivedMs: number;
  done: () => void;
}

const settings: MappingSettings = { batchSize: 10, batchWindowMs: 0, maximumConcurrency: 1_000 };

const click: SentClick = { number: 1, code: 'code', clickId: 'id', queue: 0 };

/** A queue and a mapping's invocations, which the test ends. */
export class MappingWorld {
  nowMs = 0;
  readonly invocations: Invocation[] = [];
  readonly queue = new ArrivalQueue({
    now: () => this.nowMs,
    ...{ visibilityTimeoutMs: 30_000, maxReceiveCount: 3 },
  });

  /** A mapping with batches of ten, no window, and records of this size. */
  createMapping(changes: Partial<MappingSettings> = {}, bytes = 1_000): Mapping {
    const now = () => this.nowMs;
    const time = {
      get nowMs() {
        return now();
      },
      after: () => {
        throw new Error('expected the mapping to look at the queue in each tick only');
      },
    };
    return new Mapping({
      ...{ queue: this.queue, time, random: createRandom(1) },
      settings: { ...settings, ...changes },
      recordBytes: () => bytes,
      invoke: (batch, receivedMs, done) => {
        this.invocations.push({ atMs: this.nowMs, batch, receivedMs, done });
      },
    });
  }

  /** Adds messages to the queue. */
  arrive(count: number): void {
    for (let left = count; left > 0; left -= 1) this.queue.arrive(click);
  }

  /** Runs the mapping's ticks for this time, and adds messages before each tick. */
  pass(mapping: Mapping, forMs: number, arriving = 0): void {
    const endMs = this.nowMs + forMs;
    while (this.nowMs < endMs) {
      this.arrive(arriving);
      mapping.tick();
      this.nowMs += tickMs;
    }
  }

  /** The size of each batch. */
  sizes(): number[] {
    return this.invocations.map(({ batch }) => batch.length);
  }
}
