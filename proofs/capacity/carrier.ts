import type { HttpRequest } from '@smithy/types';
import type { Answer, AwsService } from '../simulation/aws-service.ts';
import type { FunctionCode } from '../simulation/compiled-code.ts';
import { deliver, type Instance, type Scheduler } from '../simulation/instance.ts';
import { type Carrier, readRequest, toResponse } from '../simulation/network.ts';
import type { SendOptions } from '../simulation/sandbox.ts';
import type { CpuCosts } from './cpu.ts';
import { limits } from './limits.ts';

interface CpuCarrierParts {
  time: Scheduler;
  table: AwsService;
  cpu: CpuCosts;
  /** The share of a vCPU that the function's memory gives it. */
  cpuShare: number;
}

/**
 * Carries requests to the table after the CPU time of each instance, for reading a batch and for
 * building each request. Running the code takes no virtual time by itself.
 */
export class CpuCarrier implements Carrier {
  readonly #parts: CpuCarrierParts;
  /** When each instance's core is free again. */
  readonly #freeAtMs = new Map<string, number>();

  constructor(parts: CpuCarrierParts) {
    this.#parts = parts;
  }

  /** Starts a batch of this size on an instance. A new instance initialises first. */
  begin(name: string, clicks: number): void {
    const { initMs, perInvocationMs, perClickMs } = this.#parts.cpu;
    const startMs = this.#freeAtMs.has(name) ? 0 : initMs;
    this.#compute(name, startMs + (perInvocationMs + perClickMs * clicks));
  }

  /**
   * The time that an instance's code sees, which starts when its core is free. So a timeout that starts
   * after the batch was read does not include the reading.
   */
  clockOf(name: string): Scheduler {
    const { time } = this.#parts;
    const aheadMs = () => Math.max(0, (this.#freeAtMs.get(name) ?? 0) - time.nowMs);
    return {
      get nowMs() {
        return Math.ceil(time.nowMs + aheadMs());
      },
      after: (delayMs, action, owner) => time.after(aheadMs() + delayMs, action, owner),
    };
  }

  send(
    caller: Instance,
    request: HttpRequest,
    { abortSignal, requestTimeout, throwOnRequestTimeout }: SendOptions,
  ): ReturnType<Carrier['send']> {
    if (abortSignal?.aborted) return Promise.reject(named('AbortError'));
    const { time, table, cpu } = this.#parts;
    const { operation, input } = readRequest(request);
    const items = (input as { TransactItems?: unknown[] }).TransactItems?.length ?? 1;
    const sentMs = this.#compute(caller.name, cpu.perItemMs * items);
    const waitMs = sentMs - time.nowMs;
    const halfWayMs = limits.transitMs / 2;
    return new Promise((resolve, reject) => {
      const answer = ({ status, body }: Answer) => {
        time.after(halfWayMs, () =>
          deliver(time, caller, () => resolve({ response: toResponse(status, body) })),
        );
      };
      const arrive = () => table.handle(operation, input, answer, caller);
      const cancel = time.after(waitMs + halfWayMs, arrive);
      if (throwOnRequestTimeout && requestTimeout) {
        time.after(waitMs + requestTimeout, () => reject(named('TimeoutError')), caller);
      }
      const abort = () => {
        // A sent request arrives even if its sender doesn't wait for the answer any more.
        if (time.nowMs < sentMs) cancel();
        reject(named('AbortError'));
      };
      abortSignal?.addEventListener('abort', abort, { once: true });
    });
  }

  #compute(name: string, cpuMs: number): number {
    const { time, cpuShare } = this.#parts;
    const freeAtMs = Math.max(time.nowMs, this.#freeAtMs.get(name) ?? 0) + cpuMs / cpuShare;
    this.#freeAtMs.set(name, freeAtMs);
    return freeAtMs;
  }
}

function named(name: string): Error {
  return Object.assign(new Error('no answer in time'), { name });
}

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
