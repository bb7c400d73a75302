import { describeExcessAge } from '../../../cli/dlq/age-limit.ts';
import { makeEventBody } from '../../tools/click-body.ts';
import type { Random } from '../../tools/random.ts';
import type { Answer, AwsService } from '../aws-service.ts';
import type { Queue } from '../queue.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Click, clickOfDetail, type Sent } from './click.ts';
import type { ClickAuditor } from './click-auditor.ts';

interface PutEventsInput {
  Entries: { Detail: string }[];
}

interface BusWorld extends Surroundings {
  queue: Queue;
  auditor: ClickAuditor;
  /** The bus has accepted a click of the resolver. */
  onAccepted: (click: Click) => Sent;
}

/**
 * EventBridge with the rules for the ClickQueues, which are a single queue here. It delivers at least
 * once and retries for the rule's maximum event age. After that, operators resend events from the
 * rule's dead-letter queue.
 */
export class EventBus implements AwsService {
  readonly #world: BusWorld;
  readonly #random: Random;
  #sequence = 0;
  /** The number of pending deliveries. */
  pending = 0;

  constructor(world: BusWorld) {
    this.#world = world;
    this.#random = world.random('bus');
  }

  /** The maximum delay of an event: the bus's retries plus the retention of its dead letters. */
  get #maxLateMs(): number {
    const { settings, isLong } = this.#world.plan;
    return isLong ? settings.busRetryMs + settings.deadLetterRetentionMs : 60_000;
  }

  /** PutEvents, as the SDK sends it. */
  handle(operation: string, input: unknown, reply: (answer: Answer) => void) {
    if (operation !== 'PutEvents') throw new Error(`expected PutEvents; got ${operation}`);
    const { Entries: entries } = input as PutEventsInput;
    const Entries = entries.map(({ Detail }) => ({
      EventId: this.put(Detail, () => this.#world.onAccepted(clickOfDetail(Detail))),
    }));
    reply({ status: 200, body: JSON.stringify({ FailedEntryCount: 0, Entries }) });
  }

  /** Accepts an event with this detail and gives it an id, which may be its click id. */
  put(detail: string, note: (eventId: string) => Sent): string {
    const id = `event-${this.#sequence++}`;
    const time = new Date(this.#world.time.nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
    this.#deliver(makeEventBody(id, time, JSON.parse(detail)), note(id), 0);
    return id;
  }

  #deliver(body: string, sent: Sent, attempt: number): void {
    const { faults, queue } = this.#world;
    const random = this.#random;
    const maxLateMs = this.#maxLateMs;
    const deliver = () => queue.send(body, sent);
    const again = () => {
      this.#after(random.exponential(2_000 * 2 ** attempt), () =>
        this.#deliver(body, sent, attempt + 1),
      );
    };
    const deliverSoon = () => this.#after(random.integer(5, 500), deliver);
    faults.act('bus → queue: SendMessage', deliverSoon, {
      dropped: again,
      rejected: again,
      'response lost': () => {
        deliver();
        again();
      },
      late: () => {
        const drawnMs = random.exponential(random.pick([1_000, 60_000, maxLateMs / 3]));
        const lateMs = Math.min(drawnMs, maxLateMs);
        this.#after(lateMs, () => this.#deliverLate(body, sent, lateMs));
      },
      twice: () => {
        deliver();
        deliverSoon();
      },
    });
  }

  // After the bus's retries, an event waits in its dead-letter queue until operators drain that. Events
  // that `dlq drain-rule` leaves expire there.
  #deliverLate(body: string, sent: Sent, lateMs: number): void {
    const { plan, time, queue, auditor } = this.#world;
    const firstSentMs = time.nowMs - Math.max(0, lateMs - plan.settings.busRetryMs);
    const isDrained = firstSentMs < time.nowMs;
    const isLeft = isDrained && describeExcessAge({ body, firstSentMs }, plan.settings, time.nowMs);
    if (isLeft) auditor.onLeft(sent);
    else queue.send(body, sent, firstSentMs);
  }

  #after(delayMs: number, action: () => void): void {
    this.pending += 1;
    this.#world.time.after(delayMs, () => {
      this.pending -= 1;
      action();
    });
  }
}
