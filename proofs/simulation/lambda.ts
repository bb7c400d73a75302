import { makeContext } from '../../fixtures/lambda-context.ts';
import { createRandom, type Random } from '../tools/random.ts';
import type { Faults } from './faults.ts';
import type { Trace } from './instance.ts';
import {
  currentInvocation,
  deliver,
  type Instance,
  type Role,
  type Scheduler,
} from './instance.ts';
import type { Send } from './network.ts';
import type { FunctionCode, Handler } from './sandbox.ts';
import type { Statistics } from './statistics.ts';

/** How often Lambda starts an instance even though another is idle. */
const usualSpareStartRate = 0.03;

/** The end of an invocation that its caller sees: an answer or an error. */
export type InvocationEnd = { answer: unknown } | { error: string };

interface PooledInstance extends Instance {
  handler: Promise<Handler>;
  isBusy: boolean;
}

export interface LambdaParts {
  role: Role;
  /** By default its role. */
  name?: string;
  code: FunctionCode;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  seed: number;
  time: Scheduler;
  faults: Pick<Faults, 'mayCrash'>;
  statistics: Pick<Statistics, 'add'>;
  trace: Trace;
  send: Send;
  /** The time that an instance's code sees. */
  clockOf: (instance: string) => Scheduler;
  spareStartRate?: number;
  onLog: (instance: Instance, line: string) => void;
}

/** A Lambda function: starts instances on demand and ends them at any time. */
export class LambdaFunction {
  readonly #parts: LambdaParts;
  readonly #random: Random;
  #instances: PooledInstance[] = [];
  #code: FunctionCode;
  #sequence = 0;
  #active = 0;

  constructor(parts: LambdaParts) {
    this.#parts = parts;
    this.#code = parts.code;
    this.#random = createRandom(parts.seed, parts.name ?? parts.role);
  }

  /** Whether no invocation is in flight and no instance is frozen. */
  get isAtRest(): boolean {
    const { nowMs } = this.#parts.time;
    return this.#active === 0 && this.#instances.every((one) => one.frozenUntilMs <= nowMs);
  }

  /** Passes an event to an instance. The outcome follows later, once. Returns the instance's name. */
  invoke(invocation: string, event: unknown, onOutcome: (outcome: InvocationEnd) => void): string {
    const { timeoutMs, time, trace } = this.#parts;
    const instance = this.#findInstance();
    let isOver = false;
    const end = (outcome: InvocationEnd) => {
      if (isOver) return;
      isOver = true;
      cancelTimeout();
      instance.isBusy = false;
      this.#active -= 1;
      trace.note(() => `${instance.name}: ends with ${JSON.stringify(outcome)}`);
      onOutcome(outcome);
    };
    // A frozen instance may thaw after its timeout and continue, even though its caller has given up.
    const cancelTimeout = time.after(timeoutMs, () => {
      if (instance.frozenUntilMs <= time.nowMs) instance.dead = true;
      this.#drop(instance);
      end({ error: 'timeout' });
    });
    instance.isBusy = true;
    this.#active += 1;
    instance.onDeath = () => {
      this.#drop(instance);
      end({ error: 'crash' });
    };
    deliver(time, instance, () =>
      currentInvocation.run(invocation, () => this.#run(instance, event, end)),
    );
    return instance.name;
  }

  /** Later invocations get instances with this code. Those in flight end with the earlier one. */
  deploy(code: FunctionCode): void {
    this.#code = code;
    this.retireInstances();
  }

  /** Later invocations get new instances, because the earlier ones would be too old by now. */
  retireInstances(): void {
    this.#instances = [];
  }

  #run(instance: PooledInstance, event: unknown, end: (outcome: InvocationEnd) => void): void {
    const { time, faults, timeoutMs, clockOf } = this.#parts;
    const clock = clockOf(instance.name);
    const context = makeContext(timeoutMs, instance.name, () => clock.nowMs);
    const finish = (outcome: InvocationEnd) => {
      if (faults.mayCrash(instance, 'before the invocation answers')) return;
      end(outcome);
      faults.mayCrash(instance, 'after the invocation answers');
    };
    instance.handler
      .then((handler) => handler(event, context))
      .then(
        (answer) => deliver(time, instance, () => finish({ answer })),
        (error: unknown) => deliver(time, instance, () => finish({ error: String(error) })),
      );
  }

  #findInstance(): PooledInstance {
    const { spareStartRate = usualSpareStartRate } = this.#parts;
    const idle = this.#instances.filter(({ isBusy }) => !isBusy);
    if (idle.length > 0 && !this.#random.chance(spareStartRate)) return this.#random.pick(idle);
    return this.#startInstance();
  }

  #startInstance(): PooledInstance {
    const { role, environment, seed, statistics, send, onLog, clockOf } = this.#parts;
    const { name: ofFunction = role } = this.#parts;
    statistics.add('instances');
    const name = `${ofFunction}-${this.#sequence++}`;
    const state = { name, role, dead: false, frozenUntilMs: 0 };
    const instance: PooledInstance = Object.assign(state, {
      isBusy: false,
      handler: this.#code.load(role, {
        instance: state,
        time: clockOf(name),
        environment,
        random: createRandom(seed, name),
        send: (request, options) => send(state, request, options),
        onLog: (line) => onLog(state, line),
      }),
    });
    this.#instances.push(instance);
    return instance;
  }

  #drop(instance: PooledInstance): void {
    this.#instances = this.#instances.filter((other) => other !== instance);
  }
}
