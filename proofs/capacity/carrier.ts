import type { HttpRequest } from '@smithy/types';
import type { Answer, AwsService } from '../simulation/aws-service.ts';
import { deliver, type Instance, type Scheduler } from '../simulation/instance.ts';
import { awaitAnswer, type Carrier, readRequest } from '../simulation/network.ts';
import type { SendOptions } from '../simulation/sandbox.ts';
import { aggregatorCpu } from './cpu.ts';
import { limits } from './limits.ts';

interface CpuCarrierParts {
  time: Scheduler;
  table: AwsService;
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
    const { initMs, perInvocationMs, perClickMs } = aggregatorCpu;
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

  send(caller: Instance, request: HttpRequest, options: SendOptions): ReturnType<Carrier['send']> {
    const { time, table } = this.#parts;
    const { operation, input } = readRequest(request);
    const items = (input as { TransactItems?: unknown[] }).TransactItems?.length ?? 1;
    const sentMs = this.#compute(caller.name, aggregatorCpu.perItemMs * items);
    const waitMs = sentMs - time.nowMs;
    const halfWayMs = limits.transitMs / 2;
    const send = (answer: (answer: Answer) => void) => {
      const reply = (result: Answer) => {
        time.after(halfWayMs, () => deliver(time, caller, () => answer(result)));
      };
      const arrive = () => table.handle(operation, input, reply, caller);
      const cancel = time.after(waitMs + halfWayMs, arrive);
      // A sent request arrives even if its sender doesn't wait for the answer any more.
      const onAbort = () => time.nowMs < sentMs && cancel();
      options.abortSignal?.addEventListener('abort', onAbort, { once: true });
    };
    return awaitAnswer(time, caller, options, send, waitMs);
  }

  #compute(name: string, cpuMs: number): number {
    const { time, cpuShare } = this.#parts;
    const freeAtMs = Math.max(time.nowMs, this.#freeAtMs.get(name) ?? 0) + cpuMs / cpuShare;
    this.#freeAtMs.set(name, freeAtMs);
    return freeAtMs;
  }
}
