import type { Part } from './costs.ts';
import type { Result } from './run.ts';

/** A result and its costs. */
export interface Row extends Result {
  /** Through the API, and of clicks that a producer puts on the bus itself. */
  dollars: { throughApi: Part[]; onBus: Part[] };
}

/** The sum of all parts, in dollars a million clicks. */
export function sumDollars(parts: readonly Part[]): number {
  return parts.reduce((sum, { dollarsPerMillion }) => sum + dollarsPerMillion, 0);
}

type Column = [title: string, read: (row: Row) => string];

const columns: Column[] = [
  ['stage', (row) => row.stage],
  ['traffic', (row) => row.traffic],
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
  ['$/million', (row) => sumDollars(row.dollars.throughApi).toFixed(2)],
  ['on the bus', (row) => sumDollars(row.dollars.onBus).toFixed(2)],
  ['saturates first', (row) => row.saturatesFirst],
];

/** The table of all runs, for a terminal. */
export function formatRows(rows: readonly Row[]): string[] {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => readCells(row))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => width(line[index]))));
  return cells.map((line) => padLine(line, widths));
}

/** The same table in Markdown. */
export function formatMarkdown(rows: readonly Row[]): string {
  const titles = columns.map(([title]) => title);
  return [titles, titles.map(() => '---'), ...rows.map(readCells)]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

/** Dollars a million clicks by part, with a column for each row. */
export function formatDollars(rows: readonly Row[]): string[] {
  const names = rows[0]?.dollars.throughApi.map(({ name }) => name) ?? [];
  const of = (parts: readonly Part[], name: string) =>
    (parts.find((part) => part.name === name)?.dollarsPerMillion ?? 0).toFixed(3);
  const titles = ['', ...rows.map(({ stage, traffic }) => `${stage} ${traffic}`)];
  const lines = names.map((name) => [
    name,
    ...rows.map(({ dollars }) => of(dollars.throughApi, name)),
  ]);
  const all = [titles, ...lines];
  const widths = titles.map((_, index) => Math.max(...all.map((line) => width(line[index]))));
  return all.map((line) => padLine(line, widths));
}

const readCells = (row: Row) => columns.map(([, read]) => read(row));
const width = (text = '') => text.length;

function padLine(line: readonly string[], widths: readonly number[]): string {
  const padded = line.map((text, index) =>
    index < 2 || index === line.length - 1
      ? text.padEnd(widths[index] ?? 0)
      : text.padStart(widths[index] ?? 0),
  );
  return padded.join('  ').trimEnd();
}

function formatHeld({ countedPerSecond, holds }: Row): string {
  return holds ? 'all' : formatCount(countedPerSecond);
}

function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

function formatSeconds(ms: number): string {
  return Number.isNaN(ms) ? '' : `${(ms / 1_000).toFixed(1)} s`;
}

function formatShare(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
