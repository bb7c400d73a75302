import type { Instance } from './instance.ts';
import { LambdaFunction, type LambdaParts } from './lambda.ts';
import { environmentOf } from './stage-settings.ts';
import type { Surroundings } from './surroundings.ts';

interface FunctionWorld extends Surroundings {
  onLog: (instance: Instance, line: string) => void;
}

type FunctionParts = Pick<LambdaParts, 'role' | 'send' | 'timeoutMs' | 'name'> & {
  /** How far its clock is ahead. */
  aheadMs?: number;
  /** Variables that aren't those of the home stage. */
  environment?: Readonly<Record<string, string>>;
};

/** Creates one of a world's functions. */
export function createFunction(
  { versions, faults, plan, statistics, time, trace, onLog }: FunctionWorld,
  { aheadMs = 0, environment, ...parts }: FunctionParts,
): LambdaFunction {
  return new LambdaFunction({
    ...parts,
    code: versions.code,
    faults,
    statistics,
    time,
    trace,
    seed: plan.seed,
    environment: { ...environmentOf(parts.role, plan.settings), ...environment },
    clockOf: () => time.ahead(aheadMs),
    onLog,
  });
}
