/** Sums that can be added up over seeds and threads. */
export interface Totals {
  [name: string]: number;
}

/** Counts the events of one world. */
export class Statistics {
  readonly totals: Totals = {};

  add(name: string, by = 1): void {
    this.totals[name] = (this.totals[name] ?? 0) + by;
  }
}

/** Adds one world's sums to those of many. */
export function addTotals(sum: Totals, totals: Totals): void {
  for (const [name, value] of Object.entries(totals)) sum[name] = (sum[name] ?? 0) + value;
}
