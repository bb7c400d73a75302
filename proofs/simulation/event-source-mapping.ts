import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { findFailedIds } from '../../local/engines/batch-response.ts';
import type { Random } from '../tools/random.ts';
import type { ClickAuditor } from './clicks/click-auditor.ts';
import type { InvocationEnd, LambdaFunction } from './lambda.ts';
import type { Queue, Received } from './queue.ts';
import type { Surroundings } from './surroundings.ts';

/** The world doesn't need more without faults, and instances rarely conflict. */
const faultFreeConcurrency = 2;
const ignore = () => {};

interface MappingParts extends Surroundings {
  queue: Queue;
  aggregator: Pick<LambdaFunction, 'invoke'>;
  auditor: ClickAuditor;
}

/** Lambda's event source mapping: it polls, invokes with batches and deletes processed messages. */
export class EventSourceMapping {
  readonly #parts: MappingParts;
  readonly #random: Random;
  #active = 0;
  #sequence = 0;
  #isPolling = false;
  #isPaused = false;

  constructor(parts: MappingParts) {
    this.#parts = parts;
    this.#random = parts.random('mapping');
    parts.queue.onAvailable = () => this.#poll();
  }

  /** Whether no batch is in flight. */
  get isIdle(): boolean {
    return this.#active === 0;
  }

  /** Starts no more batches until it is resumed. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#poll();
  }

  #poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const { time, plan } = this.#parts;
    time.after(this.#random.integer(5, 50 + plan.settings.batchWindowMs), () => {
      this.#isPolling = false;
      this.#startBatches();
    });
  }

  #startBatches(): void {
    const { queue, plan, faults } = this.#parts;
    const { maximumConcurrency, batchSize } = plan.settings;
    const concurrency = faults.areOver
      ? Math.min(faultFreeConcurrency, maximumConcurrency)
      : maximumConcurrency;
    while (!this.#isPaused && this.#active < concurrency) {
      const size = this.#random.chance(0.7) ? batchSize : this.#random.integer(1, batchSize);
      const batch = queue.receive(size);
      if (batch.length === 0) return;
      this.#active += 1;
      this.#hand(batch, () => {
        this.#active -= 1;
        this.#poll();
      });
    }
  }

  // Invokes the function with a fault: never, late, twice, or with a lost answer.
  #hand(batch: Received[], done: () => void): void {
    const { time, faults, plan } = this.#parts;
    const { functionTimeoutMs, visibilityTimeoutMs } = plan.settings;
    const isFaultFree = faults.areOver;
    const finish = (end: InvocationEnd) => {
      this.#settle(batch, end, isFaultFree);
      done();
    };
    const invoke = () => this.#invoke(batch, finish);
    const fail = () => {
      time.after(this.#random.integer(1, 2_000), () => finish({ error: 'not invoked' }));
    };
    faults.act('queue → aggregator: Invoke', invoke, {
      dropped: fail,
      rejected: fail,
      'response lost': () => {
        this.#invoke(batch, ignore);
        time.after(functionTimeoutMs, () => finish({ error: 'no answer' }));
      },
      late: () => time.after(this.#random.exponential(visibilityTimeoutMs), invoke),
      twice: () => {
        const afterMs = this.#random.chance(0.5) ? 0 : this.#random.exponential(5_000);
        time.after(afterMs, () => this.#invoke(batch, ignore));
        invoke();
      },
    });
  }

  #invoke(batch: Received[], onOutcome: (outcome: InvocationEnd) => void): void {
    const { statistics, trace, auditor } = this.#parts;
    statistics.add('deliveries', batch.length);
    statistics.add('batches');
    const copies = batch.filter(({ message }) => auditor.isDone(message.sent));
    statistics.add('duplicates', copies.length);
    const name = `batch-${this.#sequence++}`;
    const instance = this.#parts.aggregator.invoke(name, toEvent(batch), onOutcome);
    trace.note(() => `${instance}: gets ${batch.map(({ message }) => message.id)}`);
  }

  #settle(batch: Received[], outcome: InvocationEnd, isFaultFree: boolean): void {
    const ids = batch.map(({ message }) => message.id);
    const failedIds =
      'error' in outcome
        ? new Set(ids)
        : findFailedIds(JSON.stringify(outcome.answer ?? null), ids);
    for (const { message } of batch) {
      if (isFaultFree && failedIds.has(message.id)) {
        this.#parts.auditor.onFaultFreeFailure(message.sent);
      }
    }
    this.#delete(batch.filter(({ message }) => !failedIds.has(message.id)));
  }

  #delete(done: Received[]): void {
    const { queue, time, faults } = this.#parts;
    if (done.length === 0) return;
    const deleteAll = (some = done) => {
      for (const received of some) queue.delete(received);
    };
    faults.act('aggregator → queue: DeleteMessageBatch', deleteAll, {
      dropped: ignore,
      rejected: () => deleteAll(done.filter(() => this.#random.chance(0.5))),
      'response lost': deleteAll,
      late: () => time.after(this.#random.exponential(60_000), deleteAll),
      twice: () => {
        time.after(this.#random.exponential(10_000), deleteAll);
        deleteAll();
      },
    });
  }
}

/** The function's event for received messages. */
function toEvent(batch: readonly Received[]) {
  return makeSqsEvent(
    batch.map(({ message: { id, body, enqueuedMs }, receiptHandle }) => ({
      messageId: id,
      body,
      receiveCount: receiptHandle,
      sentMs: enqueuedMs,
    })),
  );
}
