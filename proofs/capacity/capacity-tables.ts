import { type Column, renderTable } from '../tools/markdown-table.ts';
import type { Result } from './run-cell.ts';
import type { Tuning } from './stage.ts';

const limitColumns: Column<Result>[] = [
  ['traffic', ({ traffic }) => traffic.name, 'words'],
  ['settings', ({ tuning }) => describeTuning(tuning), 'words'],
  ['clicks a second', (row) => formatCount(row.offeredPerSecond)],
  ['sustained', (row) => (row.holds ? 'all' : formatCount(row.countedPerSecond))],
  ['lag, p99', formatLag],
  ['dead letters', (row) => formatCount(row.deadLetters)],
  ['write units a click', formatUnits],
  ['saturates first', (row) => row.saturatesFirst, 'words'],
];

/** prod's throughput, lag and first bottleneck for each traffic. */
export function renderLimits(rows: readonly Result[]): string {
  return renderTable(limitColumns, rows);
}

/** A site's month. */
export interface Month extends Result {
  clicksPerMonth: number;
  dollarsInAll: number;
  dollarsViaQueue: number;
  dollarsAtRest: number;
}

const monthColumns: Column<Month>[] = [
  ['clicks a month', ({ clicksPerMonth }) => formatCount(clicksPerMonth)],
  ['settings', ({ tuning }) => describeTuning(tuning), 'words'],
  ['$ a month', ({ dollarsInAll }) => formatDollars(dollarsInAll)],
  ['$ with `clicksVia: queue`', (month) => formatDollars(month.dollarsViaQueue)],
  ['of which at rest', (row) => formatDollars(row.dollarsAtRest)],
  ['write units a click', formatUnits],
  ['lag, p99', formatLag],
];

/** The monthly costs of sites of each size. */
export function renderMonths(months: readonly Month[]): string {
  return renderTable(monthColumns, months);
}

const formatDollars = (dollars: number) =>
  dollars.toLocaleString('en-US', { maximumFractionDigits: dollars < 100 ? 2 : 0 });

function formatUnits({ usage }: Result): string {
  return (usage.writeUnits / usage.clicks).toFixed(2);
}

function describeTuning(tuning: Tuning | undefined): string {
  if (!tuning) return "prod's own";
  return Object.entries(tuning)
    .map(([name, value]) => `\`${name}\` ${formatCount(value)}`)
    .join(', ');
}

/** A stage that falls behind has a growing lag, so the measured one is a lower bound. */
function formatLag({ holds, lagMs, usage }: Result): string {
  if (usage.clicks === 0) return '–';
  return `${holds ? '' : '> '}${formatCount(lagMs.p99 / 1_000)} s`;
}

/** A number with at most one decimal, or none from 10 on. */
function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
