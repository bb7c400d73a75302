import type { WorldResult } from './run-world.ts';
import type { PlanOptions } from './world-plan.ts';

/** One world. */
export interface WorldTask {
  seed: number;
  /** The name of a planted bug. */
  bug?: string;
  options?: PlanOptions;
  /** Returns what happened, event by event. */
  isTraced?: boolean;
}

export interface TracedResult extends WorldResult {
  lines: string[];
}

/** A task as command line options. */
export function describeTask({ seed, options, bug }: WorldTask): string {
  const clicks = options?.maxClicks ? ` --clicks ${options.maxClicks}` : '';
  return `--seed ${seed}${clicks}${bug ? ` --bug "${bug}"` : ''}`;
}
