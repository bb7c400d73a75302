import { deliver } from '../simulation/instance.ts';
import { awaitAnswer, readRequest } from '../simulation/network.ts';
import { aggregatorCpu } from './cpu.ts';
import { limits } from './limits.ts';
/**
 * Carries requests to the table after the CPU time of each instance, for reading a batch and for
 * building each request. Running the code takes no virtual time by itself. `cpuShare` is the share of
 * a vCPU that the function's memory gives it.
 */
export function createCpuCarrier(time, table, cpuShare) {
    /** When each instance's core is free again. */
    const freeAtMs = new Map();
    const compute = (name, cpuMs) => {
        const endMs = Math.max(time.nowMs, freeAtMs.get(name) ?? 0) + cpuMs / cpuShare;
        freeAtMs.set(name, endMs);
        return endMs;
    };
    /** Starts a batch of this size on an instance. A new instance initialises first. */
    const begin = (name, clicks) => {
        const { initMs, perInvocationMs, perClickMs } = aggregatorCpu;
        const startMs = freeAtMs.has(name) ? 0 : initMs;
        compute(name, startMs + (perInvocationMs + perClickMs * clicks));
    };
    /**
     * The time that an instance's code sees, which starts when its core is free. So a timeout that starts
     * after the batch was read does not include the reading.
     */
    const clockOf = (name) => {
        const aheadMs = () => Math.max(0, (freeAtMs.get(name) ?? 0) - time.nowMs);
        return {
            get nowMs() {
                return Math.ceil(time.nowMs + aheadMs());
            },
            after: (delayMs, action, owner) => time.after(aheadMs() + delayMs, action, owner),
        };
    };
    const send = (caller, request, options) => {
        const { operation, input } = readRequest(request);
        const items = input.TransactItems?.length ?? 1;
        const sentMs = compute(caller.name, aggregatorCpu.perItemMs * items);
        const waitMs = sentMs - time.nowMs;
        const halfWayMs = limits.transitMs / 2;
        const carry = (answer) => {
            const reply = (result) => {
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
