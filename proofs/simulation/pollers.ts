import type { Random } from '../../fixtures/random.ts';
import type { Scheduler } from './instance.ts';
import type { Settings } from './stage-settings.ts';

interface PollersParts<Message> {
  count: number;
  settings: Pick<Settings, 'batchSize' | 'batchWindowMs'>;
  time: Scheduler;
  random: Random;
  /** Invokes the function. Its poller continues when it is done. */
  invoke: (batch: Message[], done: () => void) => void;
}

/**
 * The pollers of a Lambda event source mapping on an SQS standard queue. Each gathers a batch until it
 * is full or the window ends, invokes the function, waits for its answer, and starts the next window. A
 * message goes to a random gathering poller, or waits in the queue without one.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventsourcemapping.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
export class Pollers<Message> {
  readonly #parts: PollersParts<Message>;
  readonly #gathering = new Set<Message[]>();
  #waiting: Message[] = [];

  constructor(parts: PollersParts<Message>) {
    this.#parts = parts;
    const { count, time, random, settings } = parts;
    for (let index = 0; index < count; index += 1) {
      time.after(random.fraction() * settings.batchWindowMs, () => this.#gather());
    }
  }

  /** A message arrives in the queue. */
  offer(message: Message): void {
    if (this.#gathering.size === 0) this.#waiting.push(message);
    else this.#add(this.#parts.random.pick([...this.#gathering]), message);
  }

  #gather(): void {
    const { time, settings } = this.#parts;
    const batch: Message[] = [];
    this.#gathering.add(batch);
    time.after(settings.batchWindowMs, () => this.#close(batch));
    const waiting = this.#waiting.splice(0, settings.batchSize);
    for (const message of waiting) this.#add(batch, message);
  }

  #add(batch: Message[], message: Message): void {
    batch.push(message);
    if (batch.length >= this.#parts.settings.batchSize) this.#close(batch);
  }

  #close(batch: Message[]): void {
    if (!this.#gathering.delete(batch)) return;
    if (batch.length === 0) this.#gather();
    else this.#parts.invoke(batch, () => this.#gather());
  }
}
