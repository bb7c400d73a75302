/** Counts the events of one world. */
export class Statistics {
    totals = {};
    add(name, by = 1) {
        this.totals[name] = (this.totals[name] ?? 0) + by;
    }
}
/** Adds one world's sums to those of many. */
export function addTotals(sum, totals) {
    for (const [name, value] of Object.entries(totals))
        sum[name] = (sum[name] ?? 0) + value;
}
