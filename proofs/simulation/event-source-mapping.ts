import type { SQSBatchResponse } from 'aws-lambda';
import type { Random } from '../../fixtures/random.ts';
import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { type Role, rolesOf } from './instance.ts';
import { invokeAcross } from './invoke.ts';
import type { InvocationEnd, LambdaFunction } from './lambda.ts';
import type { Queue, Received } from './queue.ts';
import type { QueueAuditor } from './queue-auditor.ts';
import type { Surroundings } from './surroundings.ts';

/** The world doesn't need more without faults, and instances rarely conflict. */
const faultFreeConcurrency = 2;

interface MappingParts extends Surroundings {
  queue: Queue;
  functionOf: (role: Role) => Pick<LambdaFunction, 'invoke'>;
  service: { auditor: Pick<QueueAuditor, 'onInvoked' | 'onFaultFreeFailure' | 'isDone'> };
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

  get #role() {
    return rolesOf[this.#parts.plan.service][0];
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

  #hand(batch: Received[], done: () => void): void {
    const { faults, plan } = this.#parts;
    const isFaultFree = faults.areOver;
    invokeAcross(this.#parts, {
      boundary: `queue → ${this.#role}: Invoke`,
      random: this.#random,
      timeoutMs: plan.settings.functionTimeoutMs,
      lateMs: plan.settings.visibilityTimeoutMs,
      invoke: (onEnd) => this.#invoke(batch, onEnd),
      finish: (end) => {
        this.#settle(batch, end, isFaultFree);
        done();
      },
    });
  }

  #invoke(batch: Received[], onOutcome: (outcome: InvocationEnd) => void): void {
    const { statistics, trace, service } = this.#parts;
    const { auditor } = service;
    statistics.add('deliveries', batch.length);
    statistics.add('batches');
    const copies = batch.filter(({ message }) => auditor.isDone(message.sent));
    statistics.add('duplicates', copies.length);
    const name = `batch-${this.#sequence++}`;
    const instance = this.#parts.functionOf(this.#role).invoke(name, toEvent(batch), onOutcome);
    auditor.onInvoked(instance, batch);
    trace.note(() => `${instance}: gets ${batch.map(({ message }) => message.id)}`);
  }

  #settle(batch: Received[], outcome: InvocationEnd, isFaultFree: boolean): void {
    const { plan, service } = this.#parts;
    const done = findProcessed(batch, outcome, plan.settings.reportsBatchItemFailures);
    if (isFaultFree) {
      for (const { message } of batch) {
        if (!done.has(message.id)) service.auditor.onFaultFreeFailure(message.sent);
      }
    }
    this.#delete(batch.filter(({ message }) => done.has(message.id)));
  }

  #delete(done: Received[]): void {
    const { queue, time, faults } = this.#parts;
    const deleteAll = (some: Received[]) => {
      for (const received of some) queue.delete(received);
    };
    if (done.length === 0) return;
    switch (faults.failureAt(`${this.#role} → queue: DeleteMessageBatch`)) {
      case 'never sent':
        return;
      case 'refused':
        deleteAll(done.filter(() => this.#random.chance(0.5)));
        return;
      case 'late':
        time.after(this.#random.exponential(60_000), () => deleteAll(done));
        return;
      case 'twice':
        time.after(this.#random.exponential(10_000), () => deleteAll(done));
    }
    deleteAll(done);
  }
}

/** The function's event for received messages. */
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
function findProcessed(
  batch: Received[],
  outcome: InvocationEnd,
  reportsFailures: boolean,
): Set<string> {
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
