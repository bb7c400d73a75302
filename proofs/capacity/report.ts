import type { Part } from './costs.ts';
import { type Dollars, sumDollars } from './pricing.ts';
import type { Result } from './result.ts';

/** A result and its costs; without any if no click was counted. */
export interface Row extends Result {
  dollars: Dollars | undefined;
}

type Column = [title: string, read: (row: Row) => string];

const columns: Column[] = [
  ['stage', (row) => row.stage],
  ['traffic', (row) => row.traffic],
  ['approach', (row) => row.approach],
  ['offered/s', (row) => formatCount(row.offeredPerSecond)],
  ['held/s', (row) => formatHeld(row)],
  ['lag p50', (row) => formatSeconds(row.lagMs.p50)],
  ['p99', (row) => formatSeconds(row.lagMs.p99)],
  ['worst', (row) => formatSeconds(row.lagMs.worst)],
  ['depth', (row) => formatCount(row.depth.max)],
  ['drained', (row) => (row.drainSeconds === undefined ? '' : `${row.drainSeconds} s`)],
  ['conflicts', (row) => formatShare(row.conflictShare)],
  ['duplicates', (row) => formatShare(row.duplicateShare)],
  ['dead', (row) => formatCount(row.deadLetters)],
  ['units', (row) => (row.unitsPerClick.committed + row.unitsPerClick.cancelled).toFixed(2)],
  ['batch', (row) => formatCount(row.clicksPerBatch)],
  ['running', (row) => `${row.concurrency.mean.toFixed(1)} (${row.concurrency.max})`],
  ['$/million', (row) => formatMoney(row.dollars?.throughApi)],
  ['on the bus', (row) => formatMoney(row.dollars?.onBus)],
  ['saturates first', (row) => row.saturatesFirst],
];

/** The titles of the table's columns. */
export const rowTitles = columns.map(([title]) => title);

/** The table of all runs, for a terminal. */
export function formatRows(rows: readonly Row[]): string[] {
  return align([rowTitles, ...rows.map(readCells)]);
}

/** Dollars a million clicks through the API, by part. */
export function formatDollars(rows: readonly Row[]): string[] {
  const priced = rows.flatMap(({ dollars, ...row }) => (dollars ? [{ ...row, dollars }] : []));
  const names = priced[0]?.dollars.throughApi.map(({ name }) => name) ?? [];
  const lines = priced.map(({ stage, traffic, approach, dollars }) => [
    ...[stage, traffic, approach],
    ...dollars.throughApi.map((part) => part.dollarsPerMillion.toFixed(3)),
  ]);
  return align([['stage', 'traffic', 'approach', ...names], ...lines]);
}

/** The cells of a row, in the order of {@link rowTitles}. */
export function readCells(row: Row): string[] {
  return columns.map(([, read]) => read(row));
}

/** The first three columns are names, and the others numbers. */
function align(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  );
  return lines.map((line) =>
    line
      .map((text, index) => {
        const width = widths[index] ?? 0;
        return index < 3 ? text.padEnd(width) : text.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

function formatMoney(parts: readonly Part[] | undefined): string {
  return parts ? sumDollars(parts).toFixed(2) : '';
}

function formatHeld({ countedPerSecond, holds }: Row): string {
  return holds ? 'all' : formatCount(countedPerSecond);
}

/** A number with at most one decimal, and with none from 10 on. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

function formatSeconds(ms: number): string {
  return Number.isNaN(ms) ? '' : `${(ms / 1_000).toFixed(1)} s`;
}

/** A share in percent. */
export function formatShare(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
