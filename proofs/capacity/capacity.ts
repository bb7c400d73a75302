import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { checkModel } from './check/check.ts';
import { measureCpu } from './measure-cpu.ts';
import { runCells } from './pool.ts';
import { createPricing, sumDollars } from './pricing.ts';
import { formatDollars, formatRows, type Row } from './report.ts';
import type { Cell, Result } from './result.ts';
import { asStage, describeWorld } from './run.ts';
import { formatSweep, sweep, sweepFile, trialCount } from './sweep.ts';
import { findTraffic, traffics } from './traffic.ts';

interface Options {
  stage?: string;
  traffic?: string;
  quick?: boolean;
  sweep?: boolean;
  json?: string;
  measureCpu?: boolean;
  check?: boolean;
}

const description =
  'Say what each stage of serverless.yml holds and what a million clicks cost: the deployed ' +
  'aggregator in virtual time, behind a model of what limits AWS. Nothing is measured on AWS.';

const stages = ['dev', 'staging', 'prod'];
const trafficNames = traffics.map(({ name }) => name);
/** What --quick leaves of the time of steady traffics. */
const quickShare = 0.1;
const quickTraffics = ['quiet', 'busy', 'viral'];

/** The others count a click in a transaction or three requests, so their batches are small. */
const otherTuning = {
  batchSize: 10,
  batchWindowSeconds: 0,
  maximumConcurrency: 1_000,
  clickQueues: 1,
};
const otherApproaches = ['hand-rolled', 'stock'] as const;
const comparedTraffics = ['busy', 'viral'];

/** With these, prod holds 75,000 clicks a second on one link. */
const raisedTuning = { clickQueues: 48, batchWindowSeconds: 6 };
const raisedTraffics = ['peak-viral'];

await runProgram(
  createProgram('capacity', description, 'proofs')
    .addOption(new Option('--stage <name>', 'one stage').choices(stages))
    .addOption(new Option('--traffic <name>', 'one traffic').choices(trafficNames))
    .option('--quick', 'the most telling runs of our own code, shortened')
    .option('--sweep', 'try settings of prod, and record which are the cheapest')
    .option('--check', 'compare the model with the local stack, and with what was published')
    .option('--json <file>', 'write the results')
    .option('--measure-cpu', "measure the aggregator's CPU time on this machine, and record it")
    .action(run),
);

async function run(options: Options): Promise<void> {
  if (options.measureCpu) return runInterruptibly(measureCpu);
  if (options.check) return runInterruptibly((signal) => checkModel(signal, options.json));
  if (options.sweep) return runSweep();
  const rows = await addDollars(await runWorlds(listCells(options)));
  for (const line of [...formatRows(rows), '', ...formatDollars(rows)]) printLine(line);
  if (options.json) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);
}

/**
 * Runs the cells; those that have the same world share a run. The longest runs come first, so that no
 * core waits for one in the end.
 */
async function runWorlds(cells: readonly Cell[]): Promise<Result[]> {
  const asked = cells.map((cell) => [describeWorld(cell), cell] as const);
  const inOrder = [...new Map(asked)].sort(([, a], [, b]) => countClicks(b) - countClicks(a));
  const results = await withProgress(inOrder.length, (onProgress) =>
    runCells(
      inOrder.map(([, cell]) => cell),
      onProgress,
    ),
  );
  const resultOf = new Map(inOrder.map(([world], index) => [world, results[index]]));
  return asked.flatMap(([world, cell]) => {
    const result = resultOf.get(world);
    return result ? [asStage(result, cell.stage)] : [];
  });
}

function countClicks({ traffic }: Cell): number {
  const { clicksPerSecond, untilSeconds } = findTraffic(traffic);
  return clicksPerSecond * untilSeconds;
}

function listCells({ stage, traffic, quick }: Options): Cell[] {
  const usual = quick ? quickTraffics : trafficNames;
  const names = traffic ? [traffic] : usual;
  const own = (stage ? [stage] : stages).flatMap((one) =>
    names.map((name) => ({ stage: one, traffic: name, approach: 'click-tally' as const })),
  );
  if (quick) return own.map((cell) => ({ ...cell, share: quickShare }));
  const compared = own.filter(
    (one) => one.stage === 'prod' && comparedTraffics.includes(one.traffic),
  );
  const others = compared.flatMap((cell) =>
    otherApproaches.map((approach) => ({ ...cell, approach, tuning: otherTuning })),
  );
  const raised = own
    .filter((one) => one.stage === 'prod' && raisedTraffics.includes(one.traffic))
    .map((cell) => ({ ...cell, tuning: raisedTuning }));
  return [...raised, ...own, ...others];
}

async function runSweep(): Promise<void> {
  const price = createPricing();
  const found = await withProgress(trialCount, (onProgress) =>
    sweep(async (result) => sumDollars((await price(result))?.throughApi), onProgress),
  );
  for (const line of formatSweep(found)) printLine(line);
  await writeFile(sweepFile, `${JSON.stringify(found, null, 2)}\n`);
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

async function addDollars(results: readonly Result[]): Promise<Row[]> {
  const price = createPricing();
  return Promise.all(results.map(async (result) => ({ ...result, dollars: await price(result) })));
}
