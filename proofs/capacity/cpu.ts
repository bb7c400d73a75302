import { assumptions } from './assumptions.ts';

/**
 * The CPU time of the packaged aggregator, in ms on one whole vCPU, measured on 2026-11-22 on an AMD EPYC with Node v24.21.0.
 * Least squares over 60 workloads of 1 to 5,000 clicks on 1 to 1,000 links, each in five new processes
 * against an HTTP endpoint that accepts every transaction immediately. The fit's relative error is
 * 12%. A transaction has no overhead beyond its items.
 */
export const aggregatorCpu = {
  perInvocationMs: 1.861963531746643,
  perClickMs: 0.09666487736552644,
  // Per item of a request.
  perItemMs: 0.02651010107555099,
  // A write outside a transaction: of a new visitor. Measured on 2026-11-29 as the difference between batches of
  // 1,000 clicks with and without visitors on 1,000 links, on another machine and scaled to this one's.
  perSingleWriteMs: 0.8,
  // The start of an environment: importing the bundle.
  initMs: 83.43900000000002,
};

/** A click's billed time in resolve-link, in seconds, without cold starts. */
export function resolverSeconds(memoryMb: number): number {
  const { resolverWaitSeconds, resolverCpuSeconds } = assumptions;
  return resolverWaitSeconds + resolverCpuSeconds / cpuShare(memoryMb);
}

/** Lambda gives a function one vCPU at this memory. */
const memoryMbOfOneCpu = 1_769;

/**
 * A single-threaded handler's share of one vCPU. Lambda allocates CPU in proportion to memory, and
 * more than one vCPU only helps further threads.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export function cpuShare(memoryMb: number): number {
  return Math.min(1, memoryMb / memoryMbOfOneCpu);
}
