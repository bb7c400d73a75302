import type { Answer, AwsService } from '../simulation/aws-service.ts';
import { deliver, type Scheduler } from '../simulation/instance.ts';
import { awaitAnswer, readRequest, type Send } from '../simulation/network.ts';
import { aggregatorCpu } from './cpu.ts';
import { limits } from './limits.ts';

export type CpuCarrier = ReturnType<typeof createCpuCarrier>;

/**
 * Carries requests to the table after the CPU time of each instance, for reading a batch and for
 * building each request. Running the code takes no virtual time by itself. `cpuShare` is the share of
 * a vCPU that the function's memory gives it.
 */
export function createCpuCarrier(time: Scheduler, table: AwsService, cpuShare: number) {
  /** When each instance's core is free again. */
  const freeAtMs = new Map<string, number>();
  const compute = (name: string, cpuMs: number): number => {
    const endMs = Math.max(time.nowMs, freeAtMs.get(name) ?? 0) + cpuMs / cpuShare;
    freeAtMs.set(name, endMs);
    return endMs;
  };

  /** Starts a batch of this size on an instance. A new instance initialises first. */
  const begin = (name: string, clicks: number): void => {
    const { initMs, perInvocationMs, perClickMs } = aggregatorCpu;
    const startMs = freeAtMs.has(name) ? 0 : initMs;
    compute(name, startMs + (perInvocationMs + perClickMs * clicks));
  };

  /**
   * The time that an instance's code sees, which starts when its core is free. So a timeout that starts
   * after the batch was read does not include the reading.
   */
  const clockOf = (name: string): Scheduler => {
    const aheadMs = () => Math.max(0, (freeAtMs.get(name) ?? 0) - time.nowMs);
    return {
      get nowMs() {
        return Math.ceil(time.nowMs + aheadMs());
      },
      after: (delayMs, action, owner) => time.after(aheadMs() + delayMs, action, owner),
    };
  };

  const send: Send = (caller, request, options) => {
    const { operation, input } = readRequest(request);
    const { TransactItems: items } = input as { TransactItems?: unknown[] };
    const { perItemMs, perSingleWriteMs } = aggregatorCpu;
    const sentMs = compute(caller.name, items ? perItemMs * items.length : perSingleWriteMs);
    const waitMs = sentMs - time.nowMs;
    const isTransaction = operation === 'TransactWriteItems';
    const halfWayMs = (isTransaction ? limits.transitMs : limits.plainRequestMs) / 2;
    const carry = (answer: (answer: Answer) => void) => {
      const reply = (result: Answer) => {
        time.after(halfWayMs, () => deliver(time, caller, () => answer(result)));
      };
      const arrive = () => table.handle(operation, input, reply, caller);
      const cancel = time.after(waitMs + halfWayMs, arrive);
      // A sent request arrives even if its sender doesn't wait for the answer any more.
      const onAbort = () => time.nowMs < sentMs && cancel();
      options.abortSignal?.addEventListener('abort', onAbort, { once: true });
    };
    return awaitAnswer(time, caller, options, carry, waitMs);
  };

  return { begin, clockOf, send };
}
