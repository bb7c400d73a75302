import { createRandom, type Random } from '../tools/random.ts';
import type { Instance, Trace } from './instance.ts';
import { cuts } from './standby/standby-plan.ts';
import type { Statistics } from './statistics.ts';
import { type Failure, failures, type WorldPlan } from './world-plan.ts';

/** These requests are rare, so they fail more often, to cover each kind of failure. */
const eagerness: Readonly<Record<string, number>> = {
  'resolver → bus: PutEvents': 5,
  'resolver → queue: SendMessage': 10,
  'aggregator → queue: SendMessage': 10,
  'aggregator → table: BatchGetItem': 10,
  'owner → table: TransactWriteItems': 5,
  'purger → table: TransactWriteItems': 3,
  'replicator → standby table: PutItem': 3,
  'standby bus → bus: PutEvents': 3,
};
const maxRate = 0.6;
const outageFailures = ['dropped', 'rejected'] as const satisfies Failure[];

/** The decisions about one kind of event, which don't depend on other kinds. */
interface Stream {
  random: Random;
  count: number;
}

interface FaultParts {
  plan: WorldPlan;
  now: () => number;
  statistics: Statistics;
  trace: Trace;
}

/**
 * Decides what fails. Each fault has a name in the trace, such as the 14th request at a boundary.
 */
export class Faults {
  readonly #parts: FaultParts;
  readonly #streams = new Map<string, Stream>();
  areOver = false;
  #leastRate = 0;

  constructor(parts: FaultParts) {
    this.#parts = parts;
  }

  /** Starts no more faults. Earlier ones may still have effects. */
  end(): void {
    this.areOver = true;
  }

  /** Starts faults again, with at least this rate of failed requests. */
  resume(failureRate: number): void {
    this.areOver = false;
    this.#leastRate = failureRate;
  }

  /** Acts at the boundary of two parts, such as `bus → queue: SendMessage`, or fails in one of these ways. */
  act(boundary: string, act: () => void, ways: Readonly<Record<Failure, () => void>>): void {
    const failure = this.#failureAt(boundary);
    if (failure) ways[failure]();
    else act();
  }

  #failureAt(boundary: string): Failure | undefined {
    const { plan, statistics } = this.#parts;
    const isOutage = this.#isOutage(boundary);
    const failureRate = Math.max(plan.failureRate, this.#leastRate);
    const rate = Math.min(maxRate, failureRate * (eagerness[boundary] ?? 1));
    const fault = this.#draw(boundary, isOutage ? 1 : rate);
    if (!fault) return undefined;
    const failure = fault.random.pick(isOutage ? outageFailures : failures);
    if (!isOutage && !plan.failures.includes(failure)) return undefined;
    this.#note(fault.name, failure);
    statistics.add(`${boundary} | ${failure}`);
    return failure;
  }

  /** May kill the instance at this point. Returns whether it is dead. */
  mayCrash(instance: Instance, point: string): boolean {
    if (instance.dead) return true;
    const { plan, statistics } = this.#parts;
    const fault = this.#draw(`crash of ${instance.role} ${point}`, plan.crashRate);
    if (!fault) return false;
    this.#note(fault.name, instance.name);
    statistics.add(`crash | ${point}`);
    instance.dead = true;
    instance.onDeath?.();
    return true;
  }

  /** May freeze the instance at this point. */
  mayFreeze(instance: Instance): void {
    if (instance.dead) return;
    const { plan, now, statistics } = this.#parts;
    const fault = this.#draw(`freeze of ${instance.role}`, plan.freezeRate);
    if (!fault) return;
    const forMs = Math.ceil(fault.random.exponential(fault.random.pick([200, 3_000, 60_000])));
    this.#note(fault.name, `${instance.name} for ${forMs} ms`);
    statistics.add('freezes');
    instance.frozenUntilMs = Math.max(instance.frozenUntilMs, now() + forMs);
  }

  /** Any other fault with a probability, such as throttling. */
  happens(kind: string, probability: number): boolean {
    const fault = this.#draw(kind, probability);
    if (fault) this.#note(fault.name);
    return fault !== undefined;
  }

  #isOutage(boundary: string): boolean {
    const { now, plan } = this.#parts;
    const afterMs = now() - plan.startMs;
    const isNow = ({ fromMs, untilMs }: { fromMs: number; untilMs: number }) =>
      fromMs <= afterMs && afterMs < untilMs;
    if (boundary.includes('→ table') && plan.outages.some(isNow)) return true;
    const { outages = [] } = plan.standby ?? {};
    return outages.some((outage) => isNow(outage) && cuts(outage, boundary));
  }

  #draw(kind: string, probability: number): { name: string; random: Random } | undefined {
    if (this.areOver || probability === 0) return undefined;
    let stream = this.#streams.get(kind);
    if (!stream) {
      stream = { random: createRandom(this.#parts.plan.seed, kind), count: 0 };
      this.#streams.set(kind, stream);
    }
    stream.count += 1;
    if (!stream.random.chance(probability)) return undefined;
    return { name: `${kind}, ${stream.count}`, random: stream.random };
  }

  #note(name: string, details = ''): void {
    this.#parts.trace.note(() => `FAULT ${name} ${details}`);
  }
}
