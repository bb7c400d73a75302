import { parseAmount, parseCount } from '../../terminal/arguments.ts';
import { createProgram, exitCodes, runProgram } from '../../terminal/program.ts';
import { createProgress } from '../../terminal/progress.ts';
import { compileFunctionCode } from './compiled-code.ts';
import type { Measurement } from './contention-meter.ts';
import { type ContentionPlan, measureContention } from './contention-world.ts';
import { buildFunctionCode } from './function-code.ts';
import { readSettings } from './settings.ts';

const warmUpMs = 5_000;
const maxShare = 0.1;

interface Options {
  seeds: number;
  seconds: number;
  clicks: number;
  links: number;
  environments: number;
  pollers: number;
  json?: boolean;
}

const [prod] = readSettings().filter(({ stage }) => stage === 'prod');
if (!prod) throw new Error('expected a stage prod in serverless.yml; got none');
const settings = prod;

const description = `Measure what it costs that invocations share pages of markers, at stage prod, in the simulation.`;

await runProgram(
  createProgram('contention', description)
    .option('--seeds <n>', 'how many runs of each kind; the medians are printed', parseCount, 3)
    .option('--seconds <n>', 'virtual seconds of each run, after a warm-up', parseAmount, 60)
    .option('--clicks <n>', 'clicks a second', parseAmount, 1_000)
    .option('--links <n>', "clicked by Zipf's law", parseCount, 1_000)
    .option('--environments <n>', 'execution environments of the resolver', parseCount, 30)
    .option(
      '--pollers <n>',
      'batches that Lambda gathers side by side',
      parseCount,
      settings.maximumConcurrency,
    )
    .option('--json', 'print the figures as JSON')
    .action(run),
);

async function run(options: Options): Promise<void> {
  const code = compileFunctionCode(await buildFunctionCode());
  const kinds = [
    { ids: 'foreign' },
    { ids: 'foreign', isUncontended: true },
    { ids: 'placed' },
    { ids: 'placed', isUncontended: true },
  ] as const;
  const progress = createProgress(kinds.length * options.seeds, 'runs');
  const results: Measurement[] = [];
  try {
    for (const kind of kinds) {
      const runs: Measurement[] = [];
      for (let seed = 1; seed <= options.seeds; seed += 1) {
        runs.push(await measureContention({ ...toPlan(options), ...kind, seed }, code));
        progress.add();
      }
      results.push(medians(runs));
    }
  } finally {
    progress.end();
  }
  const names = ['single', 'single, free', 'pages', 'pages, free'];
  for (const key of Object.keys(results[0] ?? {}) as (keyof Measurement)[]) {
    const cells = results.map((m) => (key === 'problems' ? m.problems.length : m[key]));
    console.log(key.padEnd(22), ...cells.map((c) => String(c.toFixed(3)).padStart(14)));
  }
  console.log(names.join(' | '));
  for (const m of results) for (const p of m.problems.slice(0, 3)) console.log(p);
}

function toPlan({ seconds, clicks, links, environments, pollers }: Options) {
  return {
    ...{ settings, links, environments, pollers, warmUpMs },
    clicksPerSecond: clicks,
    measuredMs: seconds * 1_000,
  } satisfies Partial<ContentionPlan>;
}

function medians(runs: Measurement[]): Measurement {
  const [first, ...others] = runs;
  if (!first) throw new Error('expected a run; got none');
  const result = { ...first, problems: runs.flatMap(({ problems }) => problems) };
  const all = [first, ...others];
  for (const key of Object.keys(first) as (keyof Measurement)[]) {
    if (key === 'problems') continue;
    const values = all.map((one) => one[key]).toSorted((a, b) => a - b);
    result[key] = values[values.length >> 1] ?? Number.NaN;
  }
  return result;
}
