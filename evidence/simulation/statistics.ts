import type { Boundary, CrashPoint, Failure } from './faults.ts';

/** Sums that can be added up over seeds and threads. */
export interface Totals {
  [name: string]: number;
}

/** Counts what happened in one world. */
export class Statistics {
  readonly totals: Totals = {};

  add(name: string, by: number): void {
    this.totals[name] = (this.totals[name] ?? 0) + by;
  }

  countFailure(boundary: Boundary, failure: Failure): void {
    this.add(failureKey(boundary, failure), 1);
  }

  countCrash(point: CrashPoint): void {
    this.add(crashKey(point), 1);
  }
}

export function failureKey(boundary: Boundary, failure: Failure): string {
  return `${boundary} | ${failure}`;
}

export function crashKey(point: CrashPoint): string {
  return `crash | ${point}`;
}

/** Adds one world's sums to those of many. */
export function addTotals(sum: Totals, totals: Totals): void {
  for (const [name, value] of Object.entries(totals)) sum[name] = (sum[name] ?? 0) + value;
}
