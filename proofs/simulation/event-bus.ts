import type { Random } from '../../fixtures/random.ts';
import type { Answer, AwsService } from './aws-service.ts';
import { type Click, clickOfDetail, type Sent } from './click.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './instance.ts';
import type { Queue } from './queue.ts';

/** An event that a producer hands to the bus. */
export interface BusEvent {
  source: string;
  detailType: string;
  detail: string;
}

interface PutEventsInput {
  Entries: { Source: string; DetailType: string; Detail: string }[];
}

export interface EventBusParts {
  time: Scheduler;
  random: Random;
  faults: Faults;
  queue: Queue;
  /** How late an event can arrive: the bus's retries and the retention of its dead letters. */
  maxLateMs: number;
  onTaken: (click: Click) => Sent;
}

/**
 * EventBridge with the rules that lead to the ClickQueues, of which one stands for all. It delivers at least once and retries for
 * the rule's maximum event age; operators send later events from the rule's dead-letter queue.
 */
export class EventBus implements AwsService {
  readonly #parts: EventBusParts;
  #sequence = 0;
  #pending = 0;

  constructor(parts: EventBusParts) {
    this.#parts = parts;
  }

  /** How many deliveries are still to come. */
  get pending(): number {
    return this.#pending;
  }

  /** PutEvents, as the SDK sends it. */
  handle(operation: string, input: unknown, reply: (answer: Answer) => void) {
    if (operation !== 'PutEvents') throw new Error(`expected PutEvents; got ${operation}`);
    const { Entries: entries } = input as PutEventsInput;
    const EventIds = entries.map(({ Source, DetailType, Detail }) => {
      const sent = this.#parts.onTaken(clickOfDetail(Detail));
      return this.put({ source: Source, detailType: DetailType, detail: Detail }, sent);
    });
    const Entries = EventIds.map((EventId) => ({ EventId }));
    reply({ status: 200, body: JSON.stringify({ FailedEntryCount: 0, Entries }) });
  }

  /** Accepts an event and gives it an id; `sent` may depend on the id. */
  put(event: BusEvent, sent: Sent | ((eventId: string) => Sent)): string {
    const id = `event-${this.#sequence++}`;
    if (/^click-tally(\.\d+)?$/.test(event.source) && event.detailType === 'link.clicked') {
      this.#deliver(wrap(event, id, this.#parts.time.nowMs), resolve(sent, id), 0);
    }
    return id;
  }

  #deliver(body: string, sent: Sent, attempt: number): void {
    const { random, faults, queue, maxLateMs } = this.#parts;
    const deliver = () => queue.send(body, sent);
    const again = () => {
      this.#after(random.exponential(2_000 * 2 ** attempt), () =>
        this.#deliver(body, sent, attempt + 1),
      );
    };
    switch (faults.failureAt('bus → queue: SendMessage')) {
      case 'never sent':
      case 'refused':
        again();
        return;
      case 'answer lost':
        deliver();
        again();
        return;
      case 'late': {
        const lateMs = random.exponential(random.pick([1_000, 60_000, maxLateMs / 3]));
        this.#after(Math.min(lateMs, maxLateMs), deliver);
        return;
      }
      case 'twice':
        deliver();
    }
    this.#after(random.integer(5, 500), deliver);
  }

  #after(delayMs: number, action: () => void): void {
    this.#pending += 1;
    this.#parts.time.after(delayMs, () => {
      this.#pending -= 1;
      action();
    });
  }
}

function wrap({ source, detailType, detail }: BusEvent, id: string, nowMs: number): string {
  return JSON.stringify({
    version: '0',
    id,
    'detail-type': detailType,
    source,
    account: '123456789012',
    time: new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: 'us-east-1',
    resources: [],
    detail: JSON.parse(detail),
  });
}

function resolve(sent: Sent | ((eventId: string) => Sent), id: string): Sent {
  return typeof sent === 'function' ? sent(id) : sent;
}
