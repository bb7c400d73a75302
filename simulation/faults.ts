import type { Plan } from './plan.ts';
import type { Process } from './process.ts';
import { createRandom, type Random } from './random.ts';
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

/** Where in a process's life it dies. */
export const crashPoints = [
  'before a request is sent',
  'while a request is under way',
  'as an answer arrives',
  'before the batch is answered',
  'after the batch is answered',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** Decides what fails. Each fault has a number, so that a run can be repeated without some. */
export class Faults {
  readonly #plan: Plan;
  readonly #random: Random;
  readonly #statistics: Statistics;
  readonly #trace: Trace;
  #count = 0;
  /** From then on the world is kind. */
  calm = false;

  constructor(plan: Plan, statistics: Statistics, trace: Trace) {
    this.#plan = plan;
    this.#random = createRandom(plan.seed, 'faults');
    this.#statistics = statistics;
    this.#trace = trace;
  }

  /** How many faults there were so far. */
  get count(): number {
    return this.#count;
  }

  /** What befalls a request at this boundary; undefined for nothing. */
  failureAt(boundary: Boundary): Failure | undefined {
    if (!this.#strikes(this.#plan.failureRate)) return undefined;
    const failure = this.#random.pick(failures);
    if (!this.#plan.failures.includes(failure) || !this.#permits(failure, boundary)) {
      return undefined;
    }
    this.#statistics.countFailure(boundary, failure);
    return failure;
  }

  /** Lets the process die at this point, or not; true if it is dead now. */
  mayCrash(process: Process, point: CrashPoint): boolean {
    if (process.dead) return true;
    if (!this.#strikes(this.#plan.crashRate) || !this.#permits('crash', process.name, point)) {
      return false;
    }
    this.#statistics.countCrash(point);
    process.dead = true;
    process.onDeath?.();
    return true;
  }

  /** Freezes the process at this point, or not. */
  mayFreeze(process: Process): void {
    if (process.dead || !this.#strikes(this.#plan.freezeRate)) return;
    const forMs = Math.ceil(this.#random.exponential(this.#random.pick([200, 3_000, 60_000])));
    if (!this.#permits('freeze', process.name, `${forMs} ms`)) return;
    this.#statistics.add('freezes', 1);
    process.frozenUntilMs = Math.max(process.frozenUntilMs, Date.now() + forMs);
  }

  /** Any other trouble that comes with a probability, such as throttling. */
  happens(what: string, probability: number): boolean {
    return this.#strikes(probability) && this.#permits(what);
  }

  #strikes(probability: number): boolean {
    return !this.calm && probability > 0 && this.#random.chance(probability);
  }

  #permits(...what: string[]): boolean {
    const number = this.#count++;
    if (this.#plan.without.has(number)) return false;
    this.#trace.note(() => `FAULT ${number}: ${what.join(', ')}`);
    return true;
  }
}
