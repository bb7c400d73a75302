import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { makeContext } from '../kit/lambda-context.ts';
import type { Random } from '../kit/random.ts';
import { makeSqsEvent } from '../kit/sqs-events.ts';
import type { Code } from './code.ts';
import type { Faults } from './faults.ts';
import { deliver, type Process, runAs } from './process.ts';
import type { Received } from './queue.ts';
import type { Settings } from './settings.ts';
import type { Statistics } from './statistics.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

type Handler = (event: SQSEvent, context: Context) => Promise<unknown>;

/** What the poller learns of an invocation: an answer, or that there will be none. */
export type Outcome = { answer: SQSBatchResponse | undefined } | { error: string };

interface Instance extends Process {
  handler: Handler;
  isBusy: boolean;
}

export interface LambdaParts {
  code: Code;
  settings: Settings;
  time: VirtualTime;
  random: Random;
  faults: Faults;
  statistics: Statistics;
  trace: Trace;
}

/** Lambda: starts instances of the aggregator as they are needed, and ends them when it likes. */
export class Lambda {
  readonly #parts: LambdaParts;
  #instances: Instance[] = [];
  #sequence = 0;

  constructor(parts: LambdaParts) {
    this.#parts = parts;
  }

  /** Hands a batch to an instance; the outcome comes once, later. */
  invoke(batch: Received[], onOutcome: (outcome: Outcome) => void): void {
    const { settings, time, trace } = this.#parts;
    const instance = this.#findInstance();
    let isOver = false;
    const end = (outcome: Outcome) => {
      if (isOver) return;
      isOver = true;
      cancelTimeout();
      instance.isBusy = false;
      trace.note(() => `${instance.name}: ends with ${JSON.stringify(outcome)}`);
      onOutcome(outcome);
    };
    // A frozen instance may wake up after its time and go on, though nobody listens any more.
    const cancelTimeout = time.after(settings.functionTimeoutMs, () => {
      if (instance.frozenUntilMs <= time.nowMs) instance.dead = true;
      this.#drop(instance);
      end({ error: 'timeout' });
    });
    instance.isBusy = true;
    instance.onDeath = () => {
      this.#drop(instance);
      end({ error: 'crash' });
    };
    trace.note(() => `${instance.name}: gets ${batch.map(({ message }) => message.id)}`);
    deliver(time, instance, () => this.#run(instance, batch, end));
  }

  /** A new version: all instances are gone, whatever they were doing. */
  deploy(): void {
    this.#parts.statistics.add('deploys', 1);
    this.#parts.trace.note(() => 'deploy: all instances end');
    for (const instance of [...this.#instances]) {
      instance.dead = true;
      instance.onDeath?.();
    }
    this.#instances = [];
  }

  #run(instance: Instance, batch: Received[], end: (outcome: Outcome) => void): void {
    const { time, faults, settings } = this.#parts;
    const event = toEvent(batch);
    const context = makeContext(settings.functionTimeoutMs, instance.name);
    const finish = (outcome: Outcome) => {
      if (faults.mayCrash(instance, 'before the batch is answered')) return;
      end(outcome);
      faults.mayCrash(instance, 'after the batch is answered');
    };
    runAs(instance, () => instance.handler(event, context)).then(
      (answer) =>
        deliver(time, instance, () => finish({ answer: answer as SQSBatchResponse | undefined })),
      (error: unknown) => deliver(time, instance, () => finish({ error: String(error) })),
    );
  }

  #findInstance(): Instance {
    const { random } = this.#parts;
    const idle = this.#instances.filter(({ isBusy }) => !isBusy);
    if (idle.length > 0 && random.chance(0.9)) return random.pick(idle);
    return this.#startInstance();
  }

  #startInstance(): Instance {
    const { code, statistics } = this.#parts;
    statistics.add('instances', 1);
    const instance: Instance = {
      name: `instance-${this.#sequence++}`,
      role: 'aggregator',
      dead: false,
      frozenUntilMs: 0,
      handler: code.createHandler(),
      isBusy: false,
    };
    this.#instances.push(instance);
    return instance;
  }

  #drop(instance: Instance): void {
    this.#instances = this.#instances.filter((other) => other !== instance);
  }
}

/** Received messages as the function gets them. */
export function toEvent(batch: readonly Received[]): SQSEvent {
  return makeSqsEvent(
    batch.map(({ message: { id, body, enqueuedMs }, receiptHandle }) => ({
      messageId: id,
      body,
      receiveCount: receiptHandle,
      sentMs: enqueuedMs,
    })),
  );
}
