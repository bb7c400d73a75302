/** The CPU time of a function, in ms on one whole vCPU. */
export interface CpuCosts {
  perInvocationMs: number;
  perClickMs: number;
  /** Of a request. */
  perItemMs: number;
  /** Of the start of an environment. */
  initMs: number;
}

/**
 * The CPU time of the packaged aggregator. Measured on 2026-11-22 on an AMD
 * EPYC with Node v24.21.0: least squares over 60 workloads of 1 to 5,000 clicks on 1 to 1,000 links,
 * each run in five new processes against an HTTP endpoint that accepts every transaction at once. The
 * relative error of the fit is 12 %. A whole transaction took no more than its items do.
 */
export const aggregatorCpu: CpuCosts = {
  perInvocationMs: 1.861963531746643,
  perClickMs: 0.09666487736552644,
  perItemMs: 0.02651010107555099,
  // Importing the bundle.
  initMs: 83.43900000000002,
};

/** Lambda gives a function one vCPU at this memory. */
const memoryMbOfOneCpu = 1_769;

/**
 * The share of one vCPU that a single-threaded handler gets. Lambda gives CPU in proportion to
 * memory; more than one vCPU would only serve further threads.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export function cpuShare(memoryMb: number): number {
  return Math.min(1, memoryMb / memoryMbOfOneCpu);
}
