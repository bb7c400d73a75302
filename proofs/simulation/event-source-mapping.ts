import type { SQSBatchResponse } from 'aws-lambda';
import type { Random } from '../../fixtures/random.ts';
import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './instance.ts';
import type { LambdaFunction, Outcome } from './lambda.ts';
import type { Message, Queue, Received } from './queue.ts';
import type { Settings } from './settings.ts';
import type { Statistics } from './statistics.ts';
import type { Trace } from './trace.ts';

/** Without faults the world needs no more, and instances seldom meet. */
const faultFreeConcurrency = 2;

export interface MappingParts {
  queue: Queue;
  aggregator: LambdaFunction;
  /** The role of that function, which names the boundaries of its messages. */
  role?: 'aggregator' | 'booker';
  settings: Settings;
  time: Scheduler;
  random: Random;
  faults: Faults;
  statistics: Statistics;
  trace: Trace;
  onDelivered: (message: Message) => void;
  onInvoked: (instance: string, batch: Received[]) => void;
  /** A message failed in an invocation that began in the fault-free phase. */
  onFaultFreeFailure: (message: Message) => void;
}

/** Lambda's event source mapping: it polls, invokes with batches and deletes processed messages. */
export class EventSourceMapping {
  readonly #parts: MappingParts;
  #active = 0;
  #sequence = 0;
  #isPolling = false;
  #isPaused = false;

  constructor(parts: MappingParts) {
    this.#parts = parts;
    parts.queue.onAvailable = () => this.#poll();
  }

  /** No batch is in flight. */
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
    const { time, random, settings } = this.#parts;
    time.after(random.integer(5, 50 + settings.batchWindowMs), () => {
      this.#isPolling = false;
      this.#startBatches();
    });
  }

  #startBatches(): void {
    const { queue, random, settings, faults } = this.#parts;
    const { maximumConcurrency } = settings;
    const concurrency = faults.areOver
      ? Math.min(faultFreeConcurrency, maximumConcurrency)
      : maximumConcurrency;
    while (!this.#isPaused && this.#active < concurrency) {
      const size = random.chance(0.7) ? settings.batchSize : random.integer(1, settings.batchSize);
      const batch = queue.receive(size);
      if (batch.length === 0) return;
      this.#active += 1;
      this.#hand(batch, () => {
        this.#active -= 1;
        this.#poll();
      });
    }
  }

  #hand(batch: Received[], done: () => void): void {
    const { time, random, faults, settings, role = 'aggregator' } = this.#parts;
    const isFaultFree = faults.areOver;
    const finish = (outcome: Outcome) => {
      this.#settle(batch, outcome, isFaultFree);
      done();
    };
    switch (faults.failureAt(`queue → ${role}: Invoke`)) {
      case 'never sent':
      case 'refused':
        time.after(random.integer(1, 2_000), done);
        return;
      case 'answer lost':
        this.#invoke(batch, () => {});
        time.after(settings.functionTimeoutMs, done);
        return;
      case 'late':
        time.after(random.exponential(settings.visibilityTimeoutMs), () =>
          this.#invoke(batch, finish),
        );
        return;
      case 'twice':
        this.#invoke(batch, () => {});
    }
    this.#invoke(batch, finish);
  }

  #invoke(batch: Received[], onOutcome: (outcome: Outcome) => void): void {
    const { aggregator, statistics, trace, onDelivered, onInvoked } = this.#parts;
    statistics.add('deliveries', batch.length);
    statistics.add('batches');
    for (const { message } of batch) onDelivered(message);
    const instance = aggregator.invoke(`batch-${this.#sequence++}`, toEvent(batch), onOutcome);
    onInvoked(instance, batch);
    trace.note(() => `${instance}: gets ${batch.map(({ message }) => message.id)}`);
  }

  #settle(batch: Received[], outcome: Outcome, isFaultFree: boolean): void {
    const { settings, onFaultFreeFailure } = this.#parts;
    const done = findProcessed(batch, outcome, settings.reportsBatchItemFailures);
    if (isFaultFree) {
      for (const { message } of batch) if (!done.has(message.id)) onFaultFreeFailure(message);
    }
    this.#delete(batch.filter(({ message }) => done.has(message.id)));
  }

  #delete(done: Received[]): void {
    const { queue, time, random, faults, role = 'aggregator' } = this.#parts;
    const deleteAll = (some: Received[]) => {
      for (const received of some) queue.delete(received);
    };
    if (done.length === 0) return;
    switch (faults.failureAt(`${role} → queue: DeleteMessageBatch`)) {
      case 'never sent':
        return;
      case 'refused':
        deleteAll(done.filter(() => random.chance(0.5)));
        return;
      case 'late':
        time.after(random.exponential(60_000), () => deleteAll(done));
        return;
      case 'twice':
        time.after(random.exponential(10_000), () => deleteAll(done));
    }
    deleteAll(done);
  }
}

/** Received messages as the function gets them. */
export function toEvent(batch: readonly Received[]) {
  return makeSqsEvent(
    batch.map(({ message: { id, body, enqueuedMs }, receiptHandle }) => ({
      messageId: id,
      body,
      receiveCount: receiptHandle,
      sentMs: enqueuedMs,
    })),
  );
}

// An answer that names an unknown message fails the whole batch.
function findProcessed(batch: Received[], outcome: Outcome, reportsFailures: boolean): Set<string> {
  if ('error' in outcome) return new Set();
  const done = new Set(batch.map(({ message }) => message.id));
  if (!reportsFailures) return done;
  for (const { itemIdentifier } of readFailures(outcome.answer as SQSBatchResponse | undefined)) {
    if (!done.delete(itemIdentifier)) return new Set();
  }
  return done;
}

function readFailures(answer: SQSBatchResponse | undefined) {
  return answer?.batchItemFailures ?? [];
}
