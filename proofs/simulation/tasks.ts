import type { Recorded } from '../model/trace-events.ts';
import type { MalformedResult } from './clicks/malformed.ts';
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
  /** Returns the steps of the protocol, for the model to follow. */
  isRecorded?: boolean;
}

/** A world with this number of malformed messages. */
interface MalformedTask {
  malformed: number;
  seed: number;
  bug?: ServiceChange;
}

/** A task for a thread. */
export type Task = WorldTask | MalformedTask;

export interface TracedResult extends WorldResult {
  lines: string[];
  recorded?: Recorded;
}

export type ResultOf<T extends Task> = T extends MalformedTask ? MalformedResult : TracedResult;
