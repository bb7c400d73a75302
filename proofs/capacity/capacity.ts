import { Option } from 'commander';
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { writeParts } from '../tools/page-part.ts';
import { type Month, renderLimits, renderMonths } from './capacity-tables.ts';
import { dollarsAtRest, dollarsPerMonth } from './costs.ts';
import { runCells } from './pool.ts';
import type { Cell, Result } from './run-cell.ts';
import { readStage } from './stage.ts';
import { loadStageCosts, type StageCosts } from './stage-costs.ts';
import { makeSite, traffics } from './traffic.ts';

interface Options {
  quick?: boolean;
  write?: boolean;
}

interface Site extends Cell {
  clicksPerMonth: number;
}

const description =
  "Estimate what limits prod, and a site's monthly costs: runs the deployed aggregator in virtual time " +
  "with a model of AWS's limits. Nothing is measured on AWS.";

const { busy, viral, outage } = traffics;
/** The share of their time that --quick runs traffics. */
const quickShare = 0.1;

/** For sites that accept a lag of ten seconds. */
const slowTuning = { batchWindowSeconds: 10 };

await runProgram(
  createProgram('capacity', description, 'proofs')
    .option('--quick', 'only a few runs, shortened')
    .addOption(
      new Option('--write', 'write the tables of docs/costs-and-speed.md').conflicts('quick'),
    )
    .action(run),
);

async function run({ quick, write }: Options): Promise<void> {
  const limited = quick ? quickCells() : limitCells();
  const sites = quick ? makeSites(1e8) : makeSites(1e5, 1e6, 1e7, 1e8, 1e9);
  const cells = [...limited, ...sites];
  const progress = createProgress(cells.length, 'runs');
  const results = await runCells(cells, progress.add).finally(progress.end);
  const limits = renderLimits(results.slice(0, limited.length));
  const costs = await loadStageCosts();
  const priced = results.slice(limited.length).map((result, index) => ({
    clicksPerMonth: sites[index]?.clicksPerMonth ?? Number.NaN,
    ...priceMonth(result, costs),
  }));
  const months = renderMonths(priced);
  print(`${limits}\n\n${months}\n`);
  if (write) await writeParts('costs-and-speed.md', 'capacity -- --write', { months, limits });
}

function limitCells(): Cell[] {
  return [
    ...[busy, viral, outage].map((traffic) => ({ traffic })),
    ...[2, 4, 8].map((clickQueues) => ({ traffic: viral, tuning: { clickQueues } })),
  ];
}

function quickCells(): Cell[] {
  return [busy, viral].map((traffic) => ({ traffic, share: quickShare }));
}

/** Sites of these sizes, each with prod's own settings and with a longer window. */
function makeSites(...sizes: number[]): Site[] {
  return sizes.flatMap((clicksPerMonth) => {
    const site = { traffic: makeSite(clicksPerMonth), clicksPerMonth };
    return [site, { ...site, tuning: slowTuning }];
  });
}

function priceMonth(result: Result, costs: StageCosts): Omit<Month, 'clicksPerMonth'> {
  const { usage, tuning } = result;
  return {
    ...result,
    dollarsInAll: dollarsPerMonth(usage, costs),
    // The queue's requests stay the same, because the bus's are priced, too.
    dollarsViaQueue: dollarsPerMonth(usage, { ...costs, clicksVia: 'queue' }),
    dollarsAtRest: dollarsAtRest(costs, readStage(tuning)),
  };
}
