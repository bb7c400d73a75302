import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { assumptions } from './assumptions.ts';
import { dollarsAtRest, dollarsPerMonth } from './costs.ts';
import { runCells } from './pool.ts';
import type { Cell, Result } from './run-cell.ts';
import { readStage, type Tuning } from './stage.ts';
import { makeSite, traffics } from './traffic.ts';

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

const dollarsWith =
  (changes: Tuning) =>
  ({ usage, tuning }: Result) =>
    formatDollars(dollarsPerMonth(usage, readStage({ ...tuning, ...changes })));

/** What a site pays each month, with each of its traffics and settings. */
const monthColumns: Column<Result>[] = [
  [
    'clicks a month',
    ({ traffic }) => formatCount(traffic.clicksPerSecond * assumptions.secondsPerMonth),
  ],
  ['settings', ({ tuning }) => describeTuning(tuning), 'words'],
  ['$ a month', dollarsWith({})],
  // The queue's requests stay the same, because the bus's are priced, too.
  ['$ with `clicksVia: queue`', dollarsWith({ clicksVia: 'queue' })],
  ['$ with `billing: provisioned`', dollarsWith({ billing: 'provisioned' })],
  ['of which at rest', ({ tuning }) => formatDollars(dollarsAtRest(readStage(tuning)))],
  ['write units a click', formatUnits],
  ['lag, p99', formatLag],
];

const description =
  "Estimate what limits prod, and a site's monthly costs: runs the deployed aggregator in virtual time " +
  "with a model of AWS's limits. Nothing is measured on AWS.";

const { busy, viral, outage, rise } = traffics;
const limitCells: Cell[] = [
  { traffic: busy },
  { traffic: viral },
  { traffic: viral, tuning: { clickQueues: 4 } },
  { traffic: outage },
  { traffic: rise, tuning: { billing: 'provisioned' } },
];
/** For sites that accept a lag of ten seconds. */
const slowTuning = { batchWindowSeconds: 10 };

await runProgram(
  createProgram('capacity', description, 'proofs')
    .option('--quick', 'only a few runs')
    .option('--write', 'write the tables of docs/costs-and-speed.md')
    .action(run),
);

async function run({ quick, write }: { quick?: boolean; write?: boolean }): Promise<void> {
  const limited = quick ? [{ traffic: busy }] : limitCells;
  const sites = quick ? makeSites(1e8) : makeSites(1e5, 1e6, 1e7, 1e8, 1e9);
  const cells = [...limited, ...sites];
  const progress = createProgress(cells.length, 'runs');
  const results = await runCells(cells, progress.add).finally(progress.end);
  const limits = renderTable(limitColumns, results.slice(0, limited.length));
  const months = renderTable(monthColumns, results.slice(limited.length));
  print(`${limits}\n\n${months}\n`);
  if (write && !quick)
    await writeParts('costs-and-speed.md', 'capacity -- --write', { months, limits });
}

/** Sites of these sizes, each with prod's own settings and with a longer window. */
function makeSites(...sizes: number[]): Cell[] {
  return sizes.flatMap((clicksPerMonth) => {
    const site = { traffic: makeSite(clicksPerMonth) };
    return [site, { ...site, tuning: slowTuning }];
  });
}

function formatDollars(dollars: number): string {
  const digits = dollars < 100 ? 2 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return dollars.toLocaleString('en-US', options);
}

function formatUnits({ usage }: Result): string {
  return (usage.writeUnits / usage.clicks).toFixed(2);
}

function describeTuning(tuning: Tuning | undefined): string {
  if (!tuning) return "prod's own";
  return Object.entries(tuning)
    .map(([name, value]) => `\`${name}\` ${value}`)
    .join(', ');
}

/** A stage that falls behind has a growing lag, so the measured one is a lower bound. */
function formatLag({ holds, lagMs }: Result): string {
  return `${holds ? '' : '> '}${formatCount(lagMs.p99 / 1_000)} s`;
}

/** A number with at most one decimal, or none from 10 on. */
function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
