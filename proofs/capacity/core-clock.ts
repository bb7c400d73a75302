import type { FunctionCode } from '../simulation/compiled-code.ts';
import type { Scheduler } from '../simulation/instance.ts';

/**
 * Code whose instances see the time of their own core, by which the one that they are given is
 * ahead while they compute. What an invocation has left ends at the same moment all the same.
 */
export function withCoreClocks(
  code: FunctionCode,
  clockOf: (instance: string) => Scheduler,
): FunctionCode {
  return {
    async load(role, sandbox) {
      const { time } = sandbox;
      const clock = clockOf(sandbox.instance.name);
      const handler = await code.load(role, { ...sandbox, time: clock });
      return (event, context) => {
        const aheadMs = () => clock.nowMs - time.nowMs;
        const getRemainingTimeInMillis = () => context.getRemainingTimeInMillis() - aheadMs();
        return handler(event, { ...context, getRemainingTimeInMillis });
      };
    },
  };
}
