import { wholeNumber } from '../../cli/terminal/arguments.ts';
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { writeParts } from '../tools/page-part.ts';
import { runCells } from './pool.ts';
import { makeProfileCell, profiles, small } from './profiles.ts';
import type { Cell } from './run-cell.ts';
import { estimateSite, type SiteOptions } from './site.ts';
import {
  renderDiscounts,
  renderLimits,
  renderMonths,
  renderProfiles,
  renderVisitors,
} from './tables.ts';
import { makeSite, traffics } from './traffic.ts';

const parseCount = wholeNumber(Number.MAX_SAFE_INTEGER);

const description =
  "Estimate what limits prod, and a site's monthly costs: runs the deployed aggregator in virtual time " +
  "with a model of AWS's limits. Nothing is measured on AWS.";

const { busy, viral, outage, rise } = traffics;
const limitCells: Cell[] = [
  { traffic: busy },
  { traffic: viral },
  { traffic: viral, tuning: { clickQueues: 4 } },
  // A small site in a rush.
  { traffic: viral, tuning: small },
  { traffic: outage },
  { traffic: rise, tuning: { billing: 'provisioned' } },
];
const sizes = [1e5, 1e6, 1e7, 1e8, 1e9];

interface Options extends SiteOptions {
  quick?: boolean;
  write?: boolean;
  for?: number;
}

await runProgram(
  createProgram('capacity', description, 'proofs')
    .option('--quick', 'only a few runs')
    .option('--write', 'write the tables of docs/costs-and-speed.md')
    .option('--for <clicks>', 'estimate a site with this number of clicks a month', parseCount)
    .option(
      '--links <number>',
      'with --for: its links; by default one for every 1,000 clicks',
      parseCount,
    )
    .option(
      '--window <seconds>',
      "with --for: batchWindowSeconds; by default the profile's",
      parseCount,
    )
    .option('--region <region>', "with --for: the stage's Region", 'us-east-1')
    .option('--provisioned', 'with --for: a provisioned table')
    .action(run),
);

async function run({ for: clicksPerMonth, ...options }: Options): Promise<void> {
  if (clicksPerMonth === undefined) await writeTables(options);
  else print(await estimateSite(clicksPerMonth, options));
}

async function writeTables({ quick, write }: Options): Promise<void> {
  const limited = quick ? [{ traffic: busy }] : limitCells;
  const months = (quick ? [1e8] : sizes).flatMap(listMonths);
  // Lambda's fewest pollers, if a maximum concurrency of two stops the others.
  const withTwoPollers = months.map((cell) => ({ ...cell, pollers: 2 }));
  const profiled = quick ? [] : profiles.map(makeProfileCell);
  const withVisitors = [...months.filter(hasOwnSettings), ...profiled].filter(isSmall);
  const withoutVisitors = (quick ? [] : withVisitors).map((cell) => ({
    ...cell,
    tuning: { ...cell.tuning, countVisitors: false },
  }));
  const cells = [...limited, ...months, ...withTwoPollers, ...profiled, ...withoutVisitors];
  const progress = createProgress(cells.length, 'runs');
  const results = await runCells(cells, progress.add).finally(progress.end);
  const take = (count: number) => results.splice(0, count);
  const limits = renderLimits(take(limited.length));
  const ofMonths = take(months.length);
  const ofTwins = take(months.length);
  const ofProfiles = take(profiled.length);
  const ofCompared = [...ofMonths.filter(hasOwnSettings), ...ofProfiles].filter(isSmall);
  const tables = {
    months: renderMonths(ofMonths, ofTwins),
    discounts: renderDiscounts(ofMonths),
    profiles: renderProfiles(ofProfiles),
    visitorMonths: renderVisitors(ofCompared, take(withoutVisitors.length)),
    limits,
  };
  print(`${Object.values(tables).join('\n\n')}\n`);
  if (write && !quick) await writeParts('costs-and-speed.md', 'capacity -- --write', tables);
}

/** A site of this size with prod's own settings, and with longer windows. */
function listMonths(clicksPerMonth: number): Cell[] {
  const longer = [10, 60].map((batchWindowSeconds) => ({
    traffic: makeSite(clicksPerMonth, batchWindowSeconds),
    tuning: { batchWindowSeconds },
  }));
  return [{ traffic: makeSite(clicksPerMonth) }, ...longer];
}

function hasOwnSettings({ tuning }: Cell): boolean {
  return tuning === undefined;
}

function isSmall({ traffic }: Cell): boolean {
  return traffic.clicksPerSecond <= makeSite(1e7).clicksPerSecond;
}
