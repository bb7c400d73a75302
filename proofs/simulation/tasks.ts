import type { StandIn } from './function-code.ts';
import type { WorldResult } from './run-world.ts';
import type { PlanOptions } from './world-plan.ts';

/** A change of the service that the simulation should find. */
export interface ServiceChange {
  /** Unique for each change. */
  name: string;
  standIns: StandIn[];
}

/** One world. */
export interface WorldTask {
  seed: number;
  bug?: ServiceChange;
  options?: PlanOptions;
  /** The only faults that may happen, by name. */
  only?: string[];
  /** Returns what happened, event by event. */
  isTraced?: boolean;
}

export interface TracedResult extends WorldResult {
  lines: string[];
}
