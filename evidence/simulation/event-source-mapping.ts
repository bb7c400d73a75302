import type { SQSBatchResponse } from 'aws-lambda';
import type { Random } from '../kit/random.ts';
import type { Faults } from './faults.ts';
import type { Lambda, Outcome } from './lambda.ts';
import type { Message, Queue, Received } from './queue.ts';
import type { Settings } from './settings.ts';
import type { Statistics } from './statistics.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface MappingParts {
  queue: Queue;
  lambda: Lambda;
  settings: Settings;
  time: VirtualTime;
  random: Random;
  faults: Faults;
  statistics: Statistics;
  onDelivered: (message: Message) => void;
  onNeedlessFailure: (message: Message) => void;
}

/** Lambda's event source mapping: pollers that hand batches over and delete what was done. */
export class EventSourceMapping {
  readonly #parts: MappingParts;
  #active = 0;
  #isPolling = false;

  constructor(parts: MappingParts) {
    this.#parts = parts;
    parts.queue.onAvailable = () => this.#poll();
  }

  get isIdle(): boolean {
    return this.#active === 0;
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
    const concurrency = faults.calm
      ? Math.min(2, settings.maximumConcurrency)
      : settings.maximumConcurrency;
    while (this.#active < concurrency) {
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
    const { time, random, faults, settings } = this.#parts;
    const finish = (outcome: Outcome) => {
      this.#settle(batch, outcome);
      done();
    };
    switch (faults.failureAt('queue → aggregator: Invoke')) {
      case 'never sent':
      case 'failed':
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
    const { lambda, statistics, onDelivered } = this.#parts;
    statistics.add('deliveries', batch.length);
    statistics.add('batches', 1);
    for (const { message } of batch) onDelivered(message);
    lambda.invoke(batch, onOutcome);
  }

  #settle(batch: Received[], outcome: Outcome): void {
    const done = doneOf(batch, outcome, this.#parts.settings.reportsBatchItemFailures);
    const { faults, onNeedlessFailure } = this.#parts;
    if (faults.calm) {
      for (const { message } of batch) if (!done.has(message.id)) onNeedlessFailure(message);
    }
    this.#delete(batch.filter(({ message }) => done.has(message.id)));
  }

  #delete(done: Received[]): void {
    const { queue, time, random, faults } = this.#parts;
    const deleteAll = (some: Received[]) => {
      for (const received of some) queue.delete(received);
    };
    if (done.length === 0) return;
    switch (faults.failureAt('aggregator → queue: DeleteMessageBatch')) {
      case 'never sent':
        return;
      case 'failed':
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

// The messages that the mapping deletes. An answer that it cannot read fails the whole batch.
function doneOf(batch: Received[], outcome: Outcome, reportsFailures: boolean): Set<string> {
  if ('error' in outcome) return new Set();
  const done = new Set(batch.map(({ message }) => message.id));
  if (!reportsFailures) return done;
  for (const { itemIdentifier } of readFailures(outcome.answer)) {
    if (!done.delete(itemIdentifier)) return new Set();
  }
  return done;
}

function readFailures(answer: SQSBatchResponse | undefined) {
  return answer?.batchItemFailures ?? [];
}
