import { writeFile } from 'node:fs/promises';
import { printLine } from '../../terminal/print.ts';
import { createProgram, runProgram } from '../../terminal/program.ts';
import { createProgress } from '../../terminal/progress.ts';
import { dollarsPerMillion } from './costs.ts';
import { measureCpu } from './measure-cpu.ts';
import { runCells } from './pool.ts';
import { formatDollars, formatRows, type Row } from './report.ts';
import type { Cell, Result } from './run.ts';
import { loadStageCosts, type StageCosts } from './stage-costs.ts';
import { findTraffic, traffics } from './traffic.ts';

interface Options {
  stage?: string;
  traffic?: string;
  quick?: boolean;
  json?: string;
  measureCpu?: boolean;
}

const description =
  'Say what each stage of serverless.yml holds and what a million clicks cost: the deployed ' +
  'aggregator in virtual time, behind a model of what limits AWS. Nothing is measured on AWS.';

const stages = ['dev', 'staging', 'prod'];
/** What --quick leaves of the traffics that need no whole story. */
const quickShare = 0.1;
const quickTraffics = ['busy', 'viral', 'spike'];

await runProgram(
  createProgram('capacity', description)
    .option('--stage <name>', `one stage: ${stages.join(', ')}`)
    .option('--traffic <name>', `one traffic: ${traffics.map(({ name }) => name).join(', ')}`)
    .option('--quick', 'the most telling runs, shortened')
    .option('--json <file>', 'write the results')
    .option('--measure-cpu', "measure the aggregator's CPU time on this machine, and keep it")
    .action(run),
);

async function run(options: Options): Promise<void> {
  if (options.measureCpu) return measureCpu(new AbortController().signal);
  const cells = listCells(options);
  const progress = createProgress(100 * cells.length, '% of a run');
  let results: Result[];
  try {
    results = await runCells(cells, (added, cell) => {
      progress.add(added);
      progress.note(`${cell.stage}, ${cell.traffic}`);
    });
  } finally {
    progress.end();
  }
  const rows = await addDollars(results);
  for (const line of [...formatRows(rows), '', ...formatDollars(rows)]) printLine(line);
  if (options.json) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);
}

function listCells({ stage, traffic, quick }: Options): Cell[] {
  const names = traffic ? [findTraffic(traffic).name] : traffics.map(({ name }) => name);
  return (stage ? [stage] : stages)
    .flatMap((one) => names.map((name) => ({ stage: one, traffic: name })))
    .filter((cell) => !quick || quickTraffics.includes(cell.traffic))
    .map((cell) => (quick ? { ...cell, share: quickShare } : cell));
}

async function addDollars(results: Result[]): Promise<Row[]> {
  const loaded = new Map<string, StageCosts>();
  const rows: Row[] = [];
  for (const result of results) {
    const { links } = findTraffic(result.traffic).law;
    const costs =
      loaded.get(result.stage) ?? (await loadStageCosts(result.stage, { throughApi: true, links }));
    loaded.set(result.stage, costs);
    const price = (throughApi: boolean) =>
      dollarsPerMillion(result.usage, { ...costs, links, throughApi });
    rows.push({ ...result, dollars: { throughApi: price(true), onBus: price(false) } });
  }
  return rows;
}
