import { makeEventBody } from '../../tools/click-body.ts';
import type { Random } from '../../tools/random.ts';
import type { Answer, AwsService } from '../aws-service.ts';
import { type Click, clickOfDetail, type Sent } from '../clicks/click.ts';
import type { EventBus } from '../clicks/event-bus.ts';
import type { Queue } from '../queue.ts';
import type { Surroundings } from '../surroundings.ts';

interface PutEventsInput {
  Entries: { Detail: string }[];
}

interface ForwardingWorld extends Surroundings {
  /** The home Region's. */
  bus: EventBus;
  /** StandbyDLQ. */
  deadLetters: Queue;
  /** The bus has accepted a click of the standby's resolver. */
  onAccepted: (click: Click) => Sent;
}

interface Forwarded {
  detail: string;
  body: string;
  sent: Sent;
  acceptedMs: number;
}

/** The standby's bus: it forwards events to the home Region's for a day, and then to StandbyDLQ. */
export class ForwardingBus implements AwsService {
  readonly #world: ForwardingWorld;
  readonly #random: Random;
  #sequence = 0;
  /** The number of events on their way. */
  pending = 0;

  constructor(world: ForwardingWorld) {
    this.#world = world;
    this.#random = world.random('standby bus');
  }

  handle(operation: string, input: unknown, reply: (answer: Answer) => void) {
    if (operation !== 'PutEvents') throw new Error(`expected PutEvents; got ${operation}`);
    const { Entries: entries } = input as PutEventsInput;
    const Entries = entries.map(({ Detail }) => ({ EventId: this.#accept(Detail) }));
    reply({ status: 200, body: JSON.stringify({ FailedEntryCount: 0, Entries }) });
  }

  #accept(detail: string): string {
    const { time, onAccepted } = this.#world;
    const id = `standby-event-${this.#sequence++}`;
    const at = new Date(time.nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
    const body = makeEventBody(id, at, JSON.parse(detail));
    const sent = onAccepted(clickOfDetail(detail));
    this.#forward({ detail, body, sent, acceptedMs: time.nowMs }, 0);
    return id;
  }

  #forward(event: Forwarded, attempt: number): void {
    const { faults, bus, plan } = this.#world;
    const random = this.#random;
    const maxLateMs = plan.isLong ? plan.settings.busRetryMs : 60_000;
    const forward = () => {
      bus.put(event.detail, () => event.sent);
    };
    const forwardSoon = () => this.#after(random.integer(5, 500), forward);
    const again = () => {
      const waitMs = random.exponential(2_000 * 2 ** attempt);
      this.#after(Math.min(waitMs, maxLateMs), () => this.#retry(event, attempt + 1));
    };
    faults.act('standby bus → bus: PutEvents', forwardSoon, {
      dropped: again,
      rejected: again,
      'response lost': () => {
        forward();
        again();
      },
      late: () => {
        const lateMs = random.exponential(random.pick([1_000, 60_000, maxLateMs / 3]));
        this.#after(Math.min(lateMs, maxLateMs), forward);
      },
      twice: () => {
        forward();
        forwardSoon();
      },
    });
  }

  #retry(event: Forwarded, attempt: number): void {
    const { deadLetters, plan, statistics, time } = this.#world;
    if (time.nowMs < event.acceptedMs + plan.settings.busRetryMs) {
      this.#forward(event, attempt);
      return;
    }
    statistics.add('standby dead letters');
    deadLetters.send(event.body, event.sent);
  }

  #after(delayMs: number, action: () => void): void {
    this.pending += 1;
    this.#world.time.after(delayMs, () => {
      this.pending -= 1;
      action();
    });
  }
}
