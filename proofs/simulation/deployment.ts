import type { LambdaFunction } from './lambda.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Deploys the other version of a world, if it has one. CloudFormation updates a stage's functions in any
 * order, here in the middle of the traffic.
 */
export function deployNext(
  { plan, random, time, versions: { next } }: Surroundings,
  functions: readonly LambdaFunction[],
): void {
  if (!next) return;
  const chosen = random('deployment');
  for (const one of functions) {
    const afterMs = plan.spanMs * (0.3 + chosen.fraction() * 0.3);
    time.after(afterMs, () => one.deploy(next));
  }
}
