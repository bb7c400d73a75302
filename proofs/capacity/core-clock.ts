import type { FunctionCode } from '../simulation/compiled-code.ts';
import type { Scheduler } from '../simulation/instance.ts';

/**
 * Gives instances their own core's time, which is ahead while they compute. An invocation's deadline is
 * still the same instant.
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
