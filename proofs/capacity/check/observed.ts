import type { ClickMessage } from '../click-source.ts';

/** What it took to count some clicks, in the model or on something real. */
export interface Observed {
  clicks: number;
  batches: number;
  /** Transactions that were committed. */
  transactions: number;
  /** The write units of those. */
  writeUnits: number;
  /** Transactions that met another and were cancelled. */
  conflicts: number;
}

/** The same with its times, in ms. */
export interface Timed extends Observed {
  /** The mean of an invocation. */
  invocationMs: number;
  /** From the click to the end of the invocation that counted it. */
  lagMs: { p50: number; p99: number };
}

export type Batch = readonly ClickMessage[];

/** How a traffic was counted, and the batches that were formed. */
export interface Count {
  observed: Timed;
  /** In the order in which they began in the model, or ended on the stack. */
  batches: Batch[];
}

/** The mean size of a batch. */
export function clicksPerBatch({ clicks, batches }: Observed): number {
  return clicks / batches;
}

/** The write units of committed transactions. */
export function unitsPerClick({ writeUnits, clicks }: Observed): number {
  return writeUnits / clicks;
}

/** The transactions that were committed for a batch. */
export function transactionsPerBatch({ transactions, batches }: Observed): number {
  return transactions / batches;
}

/** The share of all transactions. */
export function conflictShare({ conflicts, transactions }: Observed): number {
  return conflicts / (conflicts + transactions);
}
