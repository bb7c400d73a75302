import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { writeParts } from '../tools/page-part.ts';
import {
  type Month,
  type Row,
  renderCosts,
  renderHeld,
  renderMonths,
  renderResolver,
} from './capacity-tables.ts';
import { dollarsAtRest, dollarsPerMonth, withoutBus } from './costs.ts';
import { runCells } from './pool.ts';
import { createPricing, paramsOf, sumDollars } from './pricing.ts';
import type { Cell } from './result.ts';
import { readStage } from './stage.ts';
import { loadStageCosts } from './stage-costs.ts';
import { findCheapestHot, renderSweep, sweep, trialCount, writeSweep } from './sweep.ts';
import { findTraffic, sites, traffics } from './traffic.ts';

interface Options {
  stage?: string;
  traffic?: string;
  quick?: boolean;
  sweep?: boolean;
  months?: boolean;
  json?: string;
  write?: boolean;
}

const description =
  'Estimate the throughput of each stage of serverless.yml and the cost of a million clicks: runs ' +
  "the deployed aggregator in virtual time with a model of AWS's limits. Nothing is measured on AWS.";

const stages = ['dev', 'staging', 'prod'];
/** staging differs from prod only in front of the queue. */
const usualStages = ['dev', 'prod'];
const trafficNames = traffics.map(({ name }) => name);
/** The share of steady traffics' time that --quick runs. */
const quickShare = 0.1;
const quickTraffics = ['quiet', 'busy', 'viral'];

/** The other approaches take a transaction or three requests per click, so their batches are small. */
const otherTuning = {
  batchSize: 10,
  batchWindowSeconds: 0,
  maximumConcurrency: 1_000,
  clickQueues: 1,
};
const otherApproaches = ['hand-rolled', 'stock'] as const;
const comparedTraffics = ['busy', 'viral'];

/** For sites that accept a lag of ten seconds. */
const smallTuning = { clickQueues: 1, batchWindowSeconds: 10 };

/** Costs at rest don't depend on links. */
const oneLink = { links: 1, hotShare: 0 };

/** For 75,000 clicks a second. */
const raisedTuning = { clickQueues: 48, batchWindowSeconds: 4 };

/** For a busy site that accepts a lag of ten seconds. */
const savingTuning = { clickQueues: 1, batchWindowSeconds: 8, resolverMemoryMb: 256 };

/** Settings for prod, each tried with a traffic. Long windows need longer runs. */
const tuned: Pick<Cell, 'traffic' | 'tuning' | 'share'>[] = [
  { traffic: 'busy', tuning: savingTuning, share: 4 },
  { traffic: 'peak', tuning: { ...raisedTuning, maximumConcurrency: 3 } },
  { traffic: 'peak-viral', tuning: raisedTuning },
];

await runProgram(
  createProgram('capacity', description, 'proofs')
    .addOption(new Option('--stage <name>', 'only this stage').choices(stages))
    .addOption(new Option('--traffic <name>', 'only this traffic').choices(trafficNames))
    .option('--quick', 'only a few runs of click-tally, shortened')
    .option('--sweep', 'try settings for prod and record the cheapest')
    .option('--months', 'price sites with 100,000 to a billion clicks a month')
    .option('--json <file>', 'write the results to this file')
    .addOption(
      new Option('--write', 'run everything and write the tables of docs/capacity.md').conflicts([
        ...['stage', 'traffic', 'quick', 'sweep'],
      ]),
    )
    .action(run),
);

async function run(options: Options): Promise<void> {
  if (options.sweep) return runSweep();
  if (options.months) return priceMonths(options);
  const rows = await runRows(listCells(options));
  const compared = rows.filter(isCompared);
  const held = renderHeld(rows);
  const costs = compared.length > 0 ? renderCosts(compared) : '';
  printTable(`${held}\n\n${costs}`);
  if (options.json) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);
  if (!options.write) return;
  const resolver = renderResolver();
  await writeParts('capacity.md', 'capacity -- --write', { held, costs, resolver });
  await priceMonths(options);
}

function printTable(table: string): void {
  for (const line of table.split('\n')) printLine(line);
}

async function priceMonths({ write }: Options): Promise<void> {
  const months = renderMonths(await runMonths());
  printTable(months);
  if (write) await writeParts('capacity.md', 'capacity -- --write', { months });
}

/** Sites of each size on prod, with its own settings and with those for small sites. */
async function runMonths(): Promise<Month[]> {
  const cells = sites.flatMap(({ name }) =>
    [undefined, smallTuning].map((tuning) => ({
      ...{ stage: 'prod', traffic: name, approach: 'click-tally' as const },
      ...(tuning && { tuning }),
    })),
  );
  const rows = await runRows(cells);
  return Promise.all(
    rows.map(async (row) => {
      const site = sites.find(({ name }) => name === row.traffic);
      const settings = { ...readStage(row.stage), ...row.tuning };
      const costs = await loadStageCosts(row.stage, oneLink, paramsOf(row.stage, row.tuning));
      return {
        ...{ ...row, clicksPerMonth: site?.clicksPerMonth ?? Number.NaN },
        dollarsInAll: dollarsPerMonth(row.dollars ?? [], row.usage),
        dollarsViaQueue: dollarsPerMonth(withoutBus(row.dollars ?? []), row.usage),
        dollarsAtRest: dollarsAtRest(costs, settings),
      };
    }),
  );
}

function listCells({ stage, traffic, quick }: Options): Cell[] {
  const usual = quick ? quickTraffics : trafficNames;
  const names = traffic ? [traffic] : usual;
  const own = (stage ? [stage] : usualStages).flatMap((one) =>
    names.map((name) => ({ stage: one, traffic: name, approach: 'click-tally' as const })),
  );
  if (quick) return own.map((cell) => ({ ...cell, share: quickShare }));
  const others = own
    .filter(isCompared)
    .flatMap((cell) =>
      otherApproaches.map((approach) => ({ ...cell, approach, tuning: otherTuning })),
    );
  const withTuning = own
    .filter(({ stage: name }) => name === 'prod')
    .flatMap((cell) =>
      tuned.filter((one) => one.traffic === cell.traffic).map((one) => ({ ...cell, ...one })),
    );
  return [...own, ...withTuning, ...others];
}

function isCompared({ stage, traffic }: Cell): boolean {
  return stage === 'prod' && comparedTraffics.includes(traffic);
}

/** Runs the cells, the longest first, so that all cores finish at about the same time. */
async function runRows(cells: readonly Cell[]): Promise<Row[]> {
  const inOrder = cells.toSorted((a, b) => countClicks(b) - countClicks(a));
  const results = await withProgress(cells.length, (onProgress) => runCells(inOrder, onProgress));
  const price = createPricing();
  const rows = results.map(async (result) => ({ ...result, dollars: await price(result) }));
  return Promise.all(cells.flatMap((cell) => rows[inOrder.indexOf(cell)] ?? []));
}

function countClicks({ traffic }: Cell): number {
  const { clicksPerSecond, untilSeconds } = findTraffic(traffic);
  return clicksPerSecond * untilSeconds;
}

async function runSweep(): Promise<void> {
  const price = createPricing();
  const trials = await withProgress(trialCount, (onProgress) =>
    sweep(async (result) => sumDollars(await price(result)), onProgress),
  );
  const table = renderSweep(trials);
  printTable(table);
  await writeParts('capacity.md', 'capacity -- --sweep', { sweep: table });
  await writeSweep(trials);
  printLine(`The cheapest: ${JSON.stringify(findCheapestHot(trials).tuning)}`);
}

async function withProgress<T>(
  runs: number,
  work: (onProgress: (addedPercent: number, cell: Cell) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(100 * runs, `% of ${runs} runs`);
  try {
    return await work((added, { stage, traffic, approach }) => {
      progress.add(added);
      progress.note(`${stage}, ${traffic}, ${approach}`);
    });
  } finally {
    progress.end();
  }
}
