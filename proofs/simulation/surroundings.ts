import { createRandom, type Random } from '../tools/random.ts';
import { Faults } from './faults.ts';
import type { Trace } from './instance.ts';
import type { FunctionCode } from './sandbox.ts';
import { Statistics } from './statistics.ts';
import { VirtualTime } from './virtual-time.ts';
import type { WorldPlan } from './world-plan.ts';

/** The code of a world's functions, and the other version that's deployed in its middle, if any. */
export interface Versions {
  code: FunctionCode;
  next?: FunctionCode;
}

/** The shared parts of a world: its plan, versions, time, faults and random numbers. */
export class Surroundings {
  readonly plan: WorldPlan;
  readonly versions: Versions;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly statistics = new Statistics();
  readonly faults: Faults;

  constructor(plan: WorldPlan, versions: Versions, write?: (line: string) => void) {
    this.plan = plan;
    this.versions = versions;
    this.time = new VirtualTime(plan.startMs);
    this.trace = {
      note: (text) => write?.(`${new Date(this.time.nowMs).toISOString()} ${text()}`),
    };
    this.faults = new Faults(this);
  }

  readonly now = (): number => this.time.nowMs;

  /** A separate stream of random numbers for each name. */
  readonly random = (name: string): Random => createRandom(this.plan.seed, name);
}
