import type { Random } from '../kit/random.ts';
import type { Click, Sent } from './auditor.ts';
import type { Faults } from './faults.ts';
import type { Process } from './process.ts';
import type { Queue } from './queue.ts';
import type { Answer, Service } from './service.ts';
import type { VirtualTime } from './virtual-time.ts';

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
  time: VirtualTime;
  random: Random;
  faults: Faults;
  queue: Queue;
  /** How late an event can come: for as long as the bus tries, or its rule's dead letters live. */
  maxLateMs: number;
  onTaken: (click: Click, caller: Process) => Sent;
}

/**
 * EventBridge with the one rule that leads to ClickQueue: it delivers at least once, and goes on
 * trying for the rule's maximum event age; what it could not deliver by then, operators send from
 * the rule's own dead-letter queue.
 */
export class EventBus implements Service {
  readonly #parts: EventBusParts;
  #sequence = 0;
  #pending = 0;

  constructor(parts: EventBusParts) {
    this.#parts = parts;
  }

  /** Events that are still to be delivered. */
  get pending(): number {
    return this.#pending;
  }

  /** PutEvents, as the SDK sends it. */
  handle(operation: string, input: unknown, reply: (answer: Answer) => void, caller: Process) {
    if (operation !== 'PutEvents') throw new Error(`expected PutEvents; got ${operation}`);
    const { Entries: entries } = input as PutEventsInput;
    const EventIds = entries.map(({ Source, DetailType, Detail }) => {
      const sent = this.#parts.onTaken(clickOf(Detail), caller);
      return this.put({ source: Source, detailType: DetailType, detail: Detail }, sent);
    });
    const Entries = EventIds.map((EventId) => ({ EventId }));
    reply({ status: 200, body: JSON.stringify({ FailedEntryCount: 0, Entries }) });
  }

  /** Takes an event, which gets an id of its own; `sent` may depend on it. */
  put(event: BusEvent, sent: Sent | ((eventId: string) => Sent)): string {
    const id = `event-${this.#sequence++}`;
    if (event.source === 'click-tally' && event.detailType === 'link.clicked') {
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
      case 'failed':
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

/** The click in a detail that the service's own resolver made. */
export function clickOf(detail: string): Click {
  const { clickId, code, at } = JSON.parse(detail) as Record<string, string>;
  return { id: String(clickId), code: String(code), day: String(at).slice(0, 'yyyy-mm-dd'.length) };
}

/** The click in an event as the bus hands it on. */
export function clickOfEvent(body: string): Click {
  return clickOf(JSON.stringify(JSON.parse(body).detail));
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
