import { Option } from 'commander';
import { parseAmount, wholeNumber } from '../../cli/terminal/arguments.ts';
import { print, printLine } from '../../cli/terminal/print.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { plantedBugs } from './planted-bugs.ts';
import {
  describeTask,
  type Roll,
  rolls,
  runTasks,
  type TracedResult,
  type WorldTask,
} from './simulator.ts';
import { addTotals, type Totals } from './statistics.ts';

const deliveries = 1_000_000;
const parseCount = wholeNumber(Number.MAX_SAFE_INTEGER);

interface SimulateOptions {
  seed?: number;
  from: number;
  seeds?: number;
  minutes?: number;
  clicks?: number;
  bug?: string;
  roll?: Roll;
  trace?: boolean;
}

const description = `Run the service in simulated worlds with faults drawn from a seed, and audit every commit.
Without options: worlds until ${deliveries} messages were delivered. Exits with 1 if the auditor finds a violation.`;

const program = createProgram('simulate', description, 'proofs')
  .option('--seed <n>', 'run only this world', parseCount)
  .option('--from <n>', 'the first seed', parseCount, 1)
  .option('--seeds <n>', 'number of worlds', parseCount)
  .option('--minutes <n>', 'duration', parseAmount)
  .option('--clicks <n>', 'maximum number of clicks in each world', parseCount)
  .addOption(
    new Option('--bug <name>', 'plant a bug in the service').choices(
      plantedBugs.map(({ name }) => name),
    ),
  )
  .addOption(
    new Option(
      '--roll <direction>',
      'upgrade the newest release in the middle of each world, or roll back to it',
    ).choices(rolls),
  )
  .option('--trace', 'print one world event by event (with --seed)')
  .action(simulate);

await runProgram(program);

/**
 * Runs worlds until there are enough or one has a violation. Worlds in progress are finished, so several
 * can fail.
 */
async function simulate(options: SimulateOptions): Promise<void> {
  const startMs = performance.now();
  const seconds = () => (performance.now() - startMs) / 1_000;
  const totals: Totals = { worlds: 0, violations: 0 };
  const failed: TracedResult[] = [];
  const progress = createProgress(deliveries, 'deliveries');
  const onResult = (result: TracedResult) => {
    for (const line of result.lines) printLine(line);
    addTotals(totals, { ...result.totals, worlds: 1, violations: result.violations.length });
    progress.add(result.totals.deliveries);
    progress.note(`${totals.worlds} worlds, ${totals.violations} violations`);
    if (result.violations.length > 0) failed.push(result);
    return failed.length === 0 && !isEnough(options, seconds(), totals);
  };
  try {
    await runTasks(listTasks(options), onResult);
  } finally {
    progress.end();
  }
  printTotals(totals, seconds());
  failed.sort((a, b) => a.seed - b.seed);
  for (const world of failed) printFailure(world, toTask(options, world.seed));
  if (failed.length > 0) process.exitCode = exitCodes.failure;
}

function isEnough(options: SimulateOptions, seconds: number, totals: Totals): boolean {
  if (options.seeds !== undefined) return false;
  if (options.minutes !== undefined) return seconds >= options.minutes * 60;
  return (totals.deliveries ?? 0) >= deliveries;
}

function* listTasks(options: SimulateOptions): Generator<WorldTask, undefined> {
  const first = options.seed ?? options.from;
  const count = options.seed === undefined ? options.seeds : 1;
  const end = first + (count ?? Number.POSITIVE_INFINITY);
  for (let seed = first; seed < end; seed += 1) yield toTask(options, seed);
}

function toTask({ bug, clicks, roll, trace = false }: SimulateOptions, seed: number): WorldTask {
  return { seed, ...(bug && { bug }), roll, maxClicks: clicks, isTraced: trace };
}

function printTotals(totals: Totals, seconds: number): void {
  for (const [name, value] of Object.entries(totals).toSorted()) {
    printLine(`${value.toLocaleString('en-US').padStart(12)}  ${name}`);
  }
  printLine(`${seconds.toFixed(0).padStart(12)}  seconds`);
}

/** A world's violations, and the command that reproduces them. */
function printFailure({ seed, violations, digest }: TracedResult, task: WorldTask): void {
  print(`\nseed ${seed}, digest ${digest}\n`);
  for (const { kind, text, about } of violations) {
    printLine(`VIOLATION ${kind}: ${text} (${about.join(', ')})`);
  }
  print(`again: npm --prefix proofs run simulate -- ${describeTask(task)} --trace\n`);
}
