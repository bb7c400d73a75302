import { writeFile } from 'node:fs/promises';
import { parseAmount, parseCount } from '../../cli/terminal/arguments.ts';
import { print, printLine } from '../../cli/terminal/print.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { type BugChoice, findAllBugs, listBugs, parseBug } from './bug-choice.ts';
import { describeViolation, findSmallest } from './findings.ts';
import { runTasks, Simulator } from './simulator.ts';
import { addTotals } from './statistics.ts';
import { formatSummary, type Summary } from './summary.ts';
import type { TracedResult, WorldTask } from './tasks.ts';

const defaultDeliveries = 1_000_000;

interface SimulateOptions {
  seed?: number;
  from: number;
  seeds?: number;
  minutes?: number;
  deliveries: number;
  clicks?: number;
  bug?: BugChoice;
  trace?: boolean;
  json?: string;
}

const description = `Run the service in simulated worlds with faults drawn from a seed, and audit every commit.
Without options: worlds until ${defaultDeliveries} messages were delivered. Exits with 1 if the auditor finds a violation.`;

const program = createProgram('simulate', description, 'proofs')
  .option('--seed <n>', 'run only this world', parseCount)
  .option('--from <n>', 'the first seed', parseCount, 1)
  .option('--seeds <n>', 'number of worlds', parseCount)
  .option('--minutes <n>', 'duration', parseAmount)
  .option('--deliveries <n>', 'stop after this number of deliveries', parseCount, defaultDeliveries)
  .option('--clicks <n>', 'maximum number of clicks in each world', parseCount)
  .option(
    '--bug <name>',
    'plant a bug in the service; "list" prints their names, "all" searches for each',
    parseBug,
  )
  .option('--trace', 'print one world event by event (with --seed)')
  .option('--json <file>', 'write the summary, with the digest of each seed')
  .action(simulate);

await runProgram(program);

async function simulate(options: SimulateOptions): Promise<void> {
  const isSound = await run(options);
  if (!isSound) process.exitCode = exitCodes.failure;
}

async function run(options: SimulateOptions): Promise<boolean> {
  if (options.bug === 'list') return listBugs();
  if (options.bug === 'all') return findAllBugs();
  if (options.trace) return traceOne(toTask(options, options.seed ?? options.from));
  const { summary, digests, failed } = await runMany(options);
  console.log(`\n${formatSummary(summary)}`);
  if (options.json) {
    const next = options.from + summary.seeds;
    const report = { ...summary, next, digests, failed };
    await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  const [first] = failed;
  if (!first) return true;
  for (const world of failed) print(`\n${describeViolation(world, toTask(options, world.seed))}\n`);
  print(`${await findSmallest(first, toTask(options, first.seed))}\n`);
  return false;
}

/**
 * Runs worlds until there are enough or one has a violation. Worlds in progress are finished, so several
 * can fail.
 */
async function runMany(options: SimulateOptions) {
  const startMs = performance.now();
  const summary: Summary = { seeds: 0, seconds: 0, violations: 0, totals: {} };
  const digests: Record<number, string> = {};
  const failed: TracedResult[] = [];
  const progress = createProgress(options.deliveries, 'deliveries');
  const onResult = (result: TracedResult) => {
    summary.seeds += 1;
    summary.seconds = (performance.now() - startMs) / 1_000;
    summary.violations += result.violations.length;
    addTotals(summary.totals, result.totals);
    digests[result.seed] = result.digest;
    progress.add(result.totals.deliveries);
    progress.note(`${summary.seeds} worlds, ${summary.violations} violations`);
    if (result.violations.length > 0) failed.push(result);
    return failed.length === 0 && !isEnough(options, summary);
  };
  try {
    await runTasks(listTasks(options), onResult);
  } finally {
    progress.end();
  }
  return { summary, digests, failed: failed.toSorted((a, b) => a.seed - b.seed) };
}

function isEnough({ seeds, minutes, deliveries }: SimulateOptions, summary: Summary): boolean {
  if (seeds !== undefined) return false;
  if (minutes !== undefined) return summary.seconds >= minutes * 60;
  return (summary.totals.deliveries ?? 0) >= deliveries;
}

function* listTasks(options: SimulateOptions): Generator<WorldTask, undefined> {
  const first = options.seed ?? options.from;
  const count = options.seed === undefined ? options.seeds : 1;
  const end = first + (count ?? Number.POSITIVE_INFINITY);
  for (let seed = first; seed < end; seed += 1) yield toTask(options, seed);
}

function toTask({ bug, clicks }: SimulateOptions, seed: number): WorldTask {
  return {
    seed,
    ...(typeof bug === 'object' && { bug }),
    options: { ...(clicks && { maxClicks: clicks }) },
  };
}

async function traceOne(task: WorldTask): Promise<boolean> {
  await using simulator = new Simulator();
  const { lines, violations, digest } = await simulator.run({ ...task, isTraced: true });
  for (const line of lines) printLine(line);
  for (const { kind, text, about } of violations) {
    printLine(`VIOLATION ${kind}: ${text} (${about.join(', ')})`);
  }
  console.log(`seed ${task.seed}, digest ${digest}, violations: ${violations.length}`);
  return violations.length === 0;
}
