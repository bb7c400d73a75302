import type { MalformedResult } from './clicks/malformed.ts';
import type { Exploration } from './exhaustive.ts';
import type { StandIn } from './function-code.ts';
import type { ServiceName } from './instance.ts';
import type { WorldResult } from './run-world.ts';
import type { PlanOptions } from './world-plan.ts';

/** A change of the service, to see whether the simulation finds it. */
export interface ServiceChange {
  /** Different for different changes. */
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

/** All small worlds of one part, by its number from 1. */
export interface SmallWorldsTask {
  part: number;
  /** Runs the orders too that change nothing. */
  isUnpruned?: boolean;
  bug?: ServiceChange;
}

/** A world with so many malformed messages. */
interface MalformedTask {
  malformed: number;
  seed: number;
  bug?: ServiceChange;
}

/** What a thread can be asked to do. */
export type Task = WorldTask | SmallWorldsTask | MalformedTask;

export interface TracedResult extends WorldResult {
  lines: string[];
}

export type ResultOf<T extends Task> = T extends SmallWorldsTask
  ? Exploration
  : T extends MalformedTask
    ? MalformedResult
    : TracedResult;

/** Whose functions a task is about. */
export function serviceOf(task: Task): ServiceName {
  return ('options' in task && task.options?.service) || 'clicks';
}
