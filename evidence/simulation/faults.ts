import { createRandom, type Random } from '../kit/random.ts';
import type { Plan } from './plan.ts';
import type { Process } from './process.ts';
import type { Statistics } from './statistics.ts';
import type { Trace } from './trace.ts';

/** What can happen to one request, wherever it goes. */
export const failures = ['never sent', 'failed', 'answer lost', 'late', 'twice'] as const;
export type Failure = (typeof failures)[number];

/** Every way of one part to another. */
export const boundaries = [
  'creator → table: PutItem',
  'resolver → table: GetItem',
  'resolver → bus: PutEvents',
  'resolver → queue: SendMessage',
  'bus → queue: SendMessage',
  'queue → aggregator: Invoke',
  'aggregator → table: TransactWriteItems',
  'aggregator → queue: DeleteMessageBatch',
  'operator → queue: redrive',
] as const;
export type Boundary = (typeof boundaries)[number];

/** There are few requests of these kinds, so they fail more often: each way is tried often enough. */
const eagerness: Partial<Record<Boundary, number>> = {
  'creator → table: PutItem': 8,
  'resolver → bus: PutEvents': 5,
  'resolver → queue: SendMessage': 10,
};
const maxRate = 0.6;

/** Where in a process's life it dies. */
export const crashPoints = [
  'before a request is sent',
  'while a request is under way',
  'as an answer arrives',
  'before the batch is answered',
  'after the batch is answered',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** The decisions about one kind of event: they do not depend on other kinds. */
interface Stream {
  random: Random;
  count: number;
}

/**
 * Decides what fails. Each fault has a name, such as the 14th request at a boundary, so that a run
 * can be repeated with some of them only.
 */
export class Faults {
  readonly #plan: Plan;
  readonly #statistics: Statistics;
  readonly #trace: Trace;
  readonly #streams = new Map<string, Stream>();
  /** The names of the faults that happened. */
  readonly happened: string[] = [];
  /** From then on the world is kind. */
  calm = false;

  constructor(plan: Plan, statistics: Statistics, trace: Trace) {
    this.#plan = plan;
    this.#statistics = statistics;
    this.#trace = trace;
  }

  /** What befalls a request at this boundary; undefined for nothing. */
  failureAt(boundary: Boundary): Failure | undefined {
    const { failureRate, failures: possible } = this.#plan;
    const rate = Math.min(maxRate, failureRate * (eagerness[boundary] ?? 1));
    const fault = this.#draw(boundary, this.#isOut(boundary) ? 1 : rate);
    if (!fault) return undefined;
    const outage = (['never sent', 'failed'] as const)[fault.random.integer(0, 1)];
    const failure = this.#isOut(boundary) ? outage : fault.random.pick(failures);
    if (!failure || !(possible.includes(failure) || this.#isOut(boundary))) return undefined;
    if (!this.#permits(fault.name, failure)) return undefined;
    this.#statistics.countFailure(boundary, failure);
    return failure;
  }

  /** Lets the process die at this point, or not; true if it is dead now. */
  mayCrash(process: Process, point: CrashPoint): boolean {
    if (process.dead) return true;
    const fault = this.#draw(`crash of ${process.role} ${point}`, this.#plan.crashRate);
    if (!fault || !this.#permits(fault.name, process.name)) return false;
    this.#statistics.countCrash(point);
    process.dead = true;
    process.onDeath?.();
    return true;
  }

  /** Freezes the process at this point, or not. */
  mayFreeze(process: Process): void {
    if (process.dead) return;
    const fault = this.#draw(`freeze of ${process.role}`, this.#plan.freezeRate);
    if (!fault) return;
    const forMs = Math.ceil(fault.random.exponential(fault.random.pick([200, 3_000, 60_000])));
    if (!this.#permits(fault.name, `${process.name} for ${forMs} ms`)) return;
    this.#statistics.add('freezes', 1);
    process.frozenUntilMs = Math.max(process.frozenUntilMs, Date.now() + forMs);
  }

  /** Any other trouble that comes with a probability, such as throttling. */
  happens(what: string, probability: number): boolean {
    const fault = this.#draw(what, probability);
    return fault !== undefined && this.#permits(fault.name);
  }

  #isOut(boundary: Boundary): boolean {
    if (!boundary.includes('→ table')) return false;
    const afterMs = Date.now() - this.#plan.startMs;
    return this.#plan.outages.some(({ fromMs, untilMs }) => fromMs <= afterMs && afterMs < untilMs);
  }

  #draw(kind: string, probability: number): { name: string; random: Random } | undefined {
    if (this.calm || probability === 0) return undefined;
    let stream = this.#streams.get(kind);
    if (!stream) {
      stream = { random: createRandom(this.#plan.seed, kind), count: 0 };
      this.#streams.set(kind, stream);
    }
    stream.count += 1;
    if (!stream.random.chance(probability)) return undefined;
    return { name: `${kind}, ${stream.count}`, random: stream.random };
  }

  #permits(name: string, details = ''): boolean {
    const { only } = this.#plan;
    if (only && !only.has(name)) return false;
    this.happened.push(name);
    this.#trace.note(() => `FAULT ${name} ${details}`);
    return true;
  }
}
