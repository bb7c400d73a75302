import { parseAmount, parseCount } from '../../cli/terminal/arguments.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { compileFunctionCode } from './compiled-code.ts';
import type { Measurement } from './contention-meter.ts';
import { type Comparison, compareIds, judge } from './contention-verdict.ts';
import type { ContentionTraffic } from './contention-world.ts';
import { buildFunctionCode } from './function-code.ts';

interface ContentionOptions extends ContentionTraffic {
  seeds: number;
}

const description =
  'Measure in the simulation, on stage prod, the cost of sharing sheets of markers between ' +
  'invocations: runs the same traffic with both kinds of ids, each with and without conflicts. Exits ' +
  'with 1 if a click was not counted once, or if retries cost a tenth of the saving of sheets.';

const rows: [title: string, read: (m: Measurement) => number, digits: number][] = [
  ['clicks', (m) => m.clicks, 0],
  ['cancelled by a conflict, %', (m) => 100 * m.cancelledShare, 1],
  ['units a click, committed', (m) => m.committedUnits, 3],
  ['units a click, cancelled', (m) => m.cancelledUnits, 3],
  ['start to commit, mean ms', (m) => m.lagMeanMs, 1],
  ['start to commit, p50 ms', (m) => m.lagP50Ms, 0],
  ['start to commit, p99 ms', (m) => m.lagP99Ms, 0],
  ['invocation, mean ms', (m) => m.invocationMs, 1],
];

await runProgram(
  createProgram('contention', description, 'proofs')
    .option(
      '--seeds <n>',
      'number of runs of each kind, of which the means are printed',
      parseCount,
      3,
    )
    .option('--seconds <n>', 'virtual seconds of each run, after a warm-up', parseAmount, 60)
    .option('--clicks <n>', 'clicks per second', parseAmount, 1_000)
    .option('--links <n>', "links, clicked by Zipf's law", parseCount, 1_000)
    .option('--environments <n>', 'execution environments of the resolver', parseCount, 30)
    .option('--pollers <n>', 'pollers of the queue, more than prod has', parseCount, 10)
    .action(run),
);

async function run(options: ContentionOptions): Promise<void> {
  const code = compileFunctionCode(await buildFunctionCode());
  const progress = createProgress(4 * options.seeds, 'runs');
  let comparison: Comparison;
  try {
    comparison = await compareIds(options, options.seeds, code, () => progress.add());
  } finally {
    progress.end();
  }
  print(comparison);
  const { lines, problems, isPassed } = judge(comparison);
  console.log(['', ...lines, ...problems.slice(0, 20)].join('\n'));
  if (!isPassed) process.exitCode = exitCodes.failure;
}

function print({ single, sheets, singleAlone, sheetsAlone }: Comparison): void {
  const columns = [single, sheets, singleAlone, sheetsAlone];
  const titles = ['single', 'sheets', 'single*', 'sheets*'];
  console.log([''.padEnd(30), ...titles.map((title) => title.padStart(10))].join(''));
  for (const [title, read, digits] of rows) {
    const cells = columns.map((column) => read(column).toFixed(digits).padStart(10));
    console.log([title.padEnd(30), ...cells].join(''));
  }
  console.log('* in a model without conflicts');
}
