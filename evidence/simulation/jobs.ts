import type { Code } from './code.ts';
import { drawPlan, type PlanOptions } from './plan.ts';
import { type RunResult, runWorld } from './run.ts';

/** What a thread can be asked to do. */
export interface Job {
  seed: number;
  /** The planted bug that the service shall have. */
  bug?: string;
  options?: PlanOptions;
  /** The only faults that may happen, by name. */
  only?: string[];
  /** Bring back what happened, event by event. */
  isTraced?: boolean;
}

export interface JobResult extends RunResult {
  lines: string[];
}

export async function doJob(
  { seed, options, only, isTraced = false }: Job,
  code: Code,
): Promise<JobResult> {
  const lines: string[] = [];
  const plan = { ...drawPlan(seed, options), ...(only && { only: new Set(only) }) };
  const result = await runWorld(plan, code, isTraced ? (line) => lines.push(line) : undefined);
  return { ...result, lines };
}
