import { createRandom, type Random } from '../../fixtures/random.ts';
import type { FunctionCode } from './compiled-code.ts';
import { DynamoDb } from './dynamodb/dynamodb.ts';
import type { ItemStore } from './dynamodb/item-store.ts';
import { Faults } from './faults.ts';
import { LambdaFunction, type LambdaParts } from './lambda.ts';
import { Network, type NetworkParts } from './network.ts';
import { Statistics } from './statistics.ts';
import { Trace } from './trace.ts';
import { VirtualTime } from './virtual-time.ts';
import type { WorldPlan } from './world-plan.ts';

/** The shared parts of a world: its plan, code, time, faults and random numbers. */
export class Surroundings {
  readonly plan: WorldPlan;
  readonly code: FunctionCode;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly statistics = new Statistics();
  readonly faults: Faults;

  constructor(plan: WorldPlan, code: FunctionCode, write?: (line: string) => void) {
    this.plan = plan;
    this.code = code;
    this.time = new VirtualTime(plan.startMs);
    this.trace = new Trace(this.now, write);
    this.faults = new Faults(this);
  }

  readonly now = (): number => this.time.nowMs;

  /** A separate stream of random numbers for each name. */
  random(name: string): Random {
    return createRandom(this.plan.seed, name);
  }

  /** A network to a table and other services. */
  connectTable(items: ItemStore, parts: Pick<NetworkParts, 'services' | 'onSend'>): Network {
    const { plan, time, faults, trace, statistics } = this;
    const { throttleRate, bareRefusalShare } = plan;
    const service = new DynamoDb({
      ...{ items, time, faults, statistics, throttleRate, bareRefusalShare },
      random: this.random('dynamodb'),
    });
    return new Network({
      ...{ time, faults, trace, random: this.random('network'), onSend: parts.onSend },
      services: { DynamoDB_20120810: { name: 'table', service }, ...parts.services },
    });
  }

  /** A function of the service. Its log also goes to the trace. */
  createFunction(
    own: Pick<
      LambdaParts,
      'role' | 'network' | 'environment' | 'timeoutMs' | 'onLog' | 'onStartFailure'
    >,
  ): LambdaFunction {
    const { plan, code, time, faults, trace, statistics } = this;
    return new LambdaFunction({
      ...{ code, time, faults, trace, statistics, seed: plan.seed, ...own },
      onLog: (instance, line) => {
        trace.note(() => `${instance.name} logs: ${line}`);
        own.onLog(instance, line);
      },
    });
  }
}
