import { type Column, renderTable } from '../tools/markdown-table.ts';
import { type Part, partNames, priceRedirects, withoutBus } from './costs.ts';
import { resolverSeconds } from './cpu.ts';
import { sumDollars } from './pricing.ts';
import type { Result, Tuning } from './result.ts';

/** A result with its costs, or without them if no click was counted. */
export interface Row extends Result {
  dollars: Part[] | undefined;
}

const approachNames: Readonly<Record<Row['approach'], string>> = {
  'click-tally': 'click-tally',
  'hand-rolled': 'hand-rolled transaction',
  stock: 'stock Powertools',
};

const heldColumns: Column<Row>[] = [
  ['stage', (row) => row.stage, 'words'],
  ['traffic', (row) => row.traffic, 'words'],
  ['counted by', describeRun, 'words'],
  ['clicks a second', (row) => formatCount(row.offeredPerSecond)],
  ['sustained', (row) => (row.holds ? 'all' : formatCount(row.countedPerSecond))],
  ['lost', formatLost],
  ['lag, p99', (row) => formatLag(row, row.lagMs.p99)],
  [
    'drained after',
    ({ drainSeconds }) => (drainSeconds === undefined ? '' : `${formatCount(drainSeconds)} s`),
  ],
  ['dead letters', (row) => formatCount(row.deadLetters)],
  ['write units a click', formatUnits],
  ['conflicts', (row) => formatShare(row.conflictShare)],
  ['$ a million', ({ dollars }) => (dollars ? sumDollars(dollars).toFixed(2) : '–')],
  ['saturates first', (row) => row.saturatesFirst, 'words'],
];

/** Each stage's throughput, lag, price and first bottleneck for each traffic. */
export function renderHeld(rows: readonly Row[]): string {
  return renderTable(heldColumns, rows);
}

/** Only an outage causes duplicates, so in other traffics a click that is taken for one is lost. */
function formatLost({ traffic, duplicateShare }: Row): string {
  return traffic === 'outage' ? '' : formatShare(duplicateShare);
}

/** A site's month. */
export interface Month extends Row {
  clicksPerMonth: number;
  dollarsInAll: number;
  dollarsViaQueue: number;
  dollarsAtRest: number;
}

const monthColumns: Column<Month>[] = [
  ['clicks a month', ({ clicksPerMonth }) => formatCount(clicksPerMonth)],
  ['settings', ({ tuning }) => (tuning ? describeTuning(tuning) : "prod's own"), 'words'],
  ['$ a month', ({ dollarsInAll }) => formatDollars(dollarsInAll)],
  ['$ with `clicksVia: queue`', (month) => formatDollars(month.dollarsViaQueue)],
  ['of which at rest', (row) => formatDollars(row.dollarsAtRest)],
  ['write units a click', formatUnits],
  ['lag, p99', (row) => formatLag(row, row.lagMs.p99)],
];

/** The monthly costs of sites of each size. */
export function renderMonths(months: readonly Month[]): string {
  return renderTable(monthColumns, months);
}

const formatDollars = (dollars: number) =>
  dollars.toLocaleString('en-US', { maximumFractionDigits: dollars < 100 ? 2 : 0 });

const totals: Record<string, (parts: readonly Part[]) => readonly Part[]> = {
  'all parts': (parts) => parts,
  'all parts with `clicksVia: queue`': withoutBus,
};

/** Dollars per million clicks, by part. */
export function renderCosts(rows: readonly Row[]): string {
  const columns = rows.map((row): Column<string> => {
    const isTuned = row.approach === 'click-tally' && row.tuning;
    const title = `${row.traffic}, ${isTuned ? describeRun(row) : approachNames[row.approach]}`;
    return [title, (line) => formatLine(row, line)];
  });
  const lines = [...partNames, ...Object.keys(totals)];
  return renderTable([['part', (line) => line, 'words'], ...columns], lines);
}

const resolverMemoriesMb = [128, 256, 512, 1_024, 1_769];

/** A redirect's time and price with different memory for resolve-link. */
export function renderResolver(): string {
  const columns: Column<number>[] = [
    ['`resolverMemoryMb`', (memoryMb) => formatCount(memoryMb)],
    ['a redirect', (memoryMb) => `${formatCount(1_000 * resolverSeconds(memoryMb))} ms`],
    ['$ a million', (memoryMb) => priceRedirects(1_000_000, memoryMb).toFixed(3)],
  ];
  return renderTable(columns, resolverMemoriesMb);
}

function formatUnits({ unitsPerClick }: Row): string {
  return (unitsPerClick.committed + unitsPerClick.cancelled).toFixed(2);
}

function describeRun({ approach, tuning }: Row): string {
  const name = approachNames[approach];
  return tuning ? `${name}, ${describeTuning(tuning)}` : name;
}

function describeTuning(tuning: Tuning): string {
  return Object.entries(tuning)
    .map(([name, value]) => `\`${name}\` ${formatCount(value)}`)
    .join(', ');
}

/** A stage that falls behind has a growing lag, so the measured one is a lower bound. */
export function formatLag({ holds }: { holds: boolean }, ms: number): string {
  if (Number.isNaN(ms)) return '–';
  return `${holds ? '' : '> '}${formatCount(ms / 1_000)} s`;
}

function formatLine({ dollars = [] }: Row, line: string): string {
  const parts = totals[line]?.(dollars) ?? dollars.filter(({ name }) => name === line);
  return parts.length > 0 ? sumDollars(parts).toFixed(3) : '–';
}

/** A number with at most one decimal, or none from 10 on. */
function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** In percent. */
function formatShare(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}
