import { type Column, renderTable } from '../tools/markdown-table.ts';
import { assumptions } from './assumptions.ts';
import { dollarsOf, type Terms } from './costs.ts';
import type { Result } from './run-cell.ts';
import { readStage, type Tuning } from './stage.ts';
import { countUnits, countUnitsAtRest, toMonth } from './usage.ts';

/** Below, a provisioned table costs more than one on demand. */
const fewestForDiscounts = 5e7;

/** A month's bill in US dollars, with other settings of which the usage doesn't depend. */
export function dollarsPerMonth(result: Result, changes: Tuning = {}, terms: Terms = {}): number {
  const stage = readStage({ ...result.tuning, ...changes });
  return dollarsOf(countUnits(toMonth(result.usage, countClicks(result)), stage), terms);
}

const countClicks = ({ traffic }: Result) => traffic.clicksPerSecond * assumptions.secondsPerMonth;

const clicksColumn: Column<Result> = ['clicks a month', (row) => formatCount(countClicks(row))];
const windowColumn: Column<Result> = [
  'window',
  ({ tuning }) => `${readStage(tuning).batchWindowMs / 1_000} s`,
];
const settingsColumn: Column<Result> = ['settings', (row) => describeTuning(row.tuning), 'words'];
const unitsColumn: Column<Result> = ['write units a click', formatUnits];
const lagColumn: Column<Result> = ['lag, p99', formatLag];

/** What limits a stage. */
export function renderLimits(results: readonly Result[]): string {
  return renderTable<Result>(
    [
      ['traffic', ({ traffic }) => traffic.name, 'words'],
      settingsColumn,
      ['clicks a second', (row) => formatCount(row.offeredPerSecond)],
      ['sustained', (row) => (row.holds ? 'all' : formatCount(row.countedPerSecond))],
      lagColumn,
      ['dead letters', (row) => formatCount(row.deadLetters)],
      unitsColumn,
      ['saturates first', (row) => row.saturatesFirst, 'words'],
    ],
    results,
  );
}

/** What a site pays each month. The same sites with two pollers are in the same order. */
export function renderMonths(
  results: readonly Result[],
  withTwoPollers: readonly Result[],
): string {
  const twins = new Map(results.map((result, index) => [result, withTwoPollers[index] ?? result]));
  const dollarsOfTwin = (row: Result) => dollarsPerMonth(twins.get(row) ?? row);
  return renderTable<Result>(
    [
      clicksColumn,
      windowColumn,
      ['$ a month', (row) => formatDollars(dollarsPerMonth(row))],
      ['$ with two pollers', (row) => formatDollars(dollarsOfTwin(row))],
      [
        '$ after free units',
        (row) => formatDollars(dollarsPerMonth(row, {}, { hasFreeUnits: true })),
      ],
      unitsColumn,
      lagColumn,
    ],
    results,
  );
}

/** What a site pays without and with visitors. The same sites without them are in the same order. */
export function renderVisitors(
  results: readonly Result[],
  withoutVisitors: readonly Result[],
): string {
  const pairs = results.flatMap((row, index) => {
    const without = withoutVisitors[index];
    return without ? [{ row, without }] : [];
  });
  return renderTable<(typeof pairs)[number]>(
    [
      ['clicks a month', ({ row }) => formatCount(countClicks(row))],
      ['settings', ({ row }) => describeTuning(row.tuning), 'words'],
      ['$ without visitors', ({ without }) => formatDollars(dollarsPerMonth(without))],
      ['$ with visitors', ({ row }) => formatDollars(dollarsPerMonth(row))],
      [
        'difference',
        ({ row, without }) => formatDollars(dollarsPerMonth(row) - dollarsPerMonth(without)),
      ],
      ['write units a click, without', ({ without }) => formatUnits(without)],
      ['with', ({ row }) => formatUnits(row)],
      ['read units a click', ({ row }) => (row.usage.readUnits / row.usage.clicks).toFixed(2)],
    ],
    pairs,
  );
}

/** What a site pays with other ways to send clicks and to pay the table. */
export function renderDiscounts(results: readonly Result[]): string {
  const both: Tuning = { clicksVia: 'queue', billing: 'provisioned' };
  const dollarsWith = (tuning: Tuning, terms?: Terms) => (row: Result) =>
    formatDollars(dollarsPerMonth(row, tuning, terms));
  return renderTable<Result>(
    [
      clicksColumn,
      windowColumn,
      ['$ a month', dollarsWith({})],
      // The queue's requests stay the same, because the bus's are priced, too.
      ['`clicksVia: queue`', dollarsWith({ clicksVia: 'queue' })],
      ['`billing: provisioned`', dollarsWith({ billing: 'provisioned' })],
      ['both', dollarsWith(both)],
      ['both, reserved for a year', dollarsWith(both, { reservedYears: 1 })],
      ['for three years', dollarsWith(both, { reservedYears: 3 })],
    ],
    results.filter((row) => countClicks(row) >= fewestForDiscounts),
  );
}

/** The profiles, each with prod's own price at rest. */
export function renderProfiles(results: readonly Result[]): string {
  const reservedFor = (reservedYears: 1 | 3) => (row: Result) =>
    isProvisioned(row) ? formatDollars(dollarsPerMonth(row, {}, { reservedYears })) : '';
  return renderTable<Result>(
    [
      clicksColumn,
      settingsColumn,
      ['$ a month', (row) => formatDollars(dollarsPerMonth(row))],
      ['reserved for a year', reservedFor(1)],
      ['for three years', reservedFor(3)],
      ['at rest', ({ tuning }) => formatDollars(dollarsOf(countUnitsAtRest(readStage(tuning))))],
      unitsColumn,
      lagColumn,
    ],
    results,
  );
}

const isProvisioned = ({ tuning }: Result) => readStage(tuning).billing === 'provisioned';

export function formatDollars(dollars: number): string {
  const digits = dollars < 100 ? 2 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return dollars.toLocaleString('en-US', options);
}

export function formatUnits({ usage }: Result): string {
  return (usage.writeUnits / usage.clicks).toFixed(2);
}

export function describeTuning(tuning: Tuning = {}): string {
  const changes = Object.entries(tuning).map(([name, value]) => `\`${name}\` ${value}`);
  return changes.join(', ') || "prod's own";
}

/** A stage that falls behind has a growing lag, so the measured one is a lower bound. */
export function formatLag({ holds, lagMs }: Result): string {
  return `${holds ? '' : '> '}${formatCount(lagMs.p99 / 1_000)} s`;
}

/** A number with at most one decimal, or none from 10 on. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
