import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { parseAmount, parseCount } from '../../terminal/arguments.ts';
import { createProgram, exitCodes, runProgram } from '../../terminal/program.ts';
import { createProgress } from '../../terminal/progress.ts';
import { deliveries } from './exhaustive.ts';
import { describeFindings } from './findings.ts';
import { plantedBugs } from './planted-bugs.ts';
import { runWorlds, Simulator } from './pool.ts';
import { formatSummary, type Summary } from './report.ts';
import { addTotals } from './statistics.ts';
import type { TracedResult, WorldTask } from './tasks.ts';

const defaultDeliveries = 1_000_000;
const minimiseLimitMs = 60_000;
const malformedMessages = 10_000;

interface Options {
  seed?: number;
  from: number;
  seeds?: number;
  minutes?: number;
  deliveries: number;
  clicks?: number;
  bug?: string;
  trace?: boolean;
  json?: string;
  minimiseFully?: boolean;
}

const description = `Run the service in simulated worlds with faults drawn from a seed, and audit every commit.
Without options: all small worlds, ${malformedMessages} malformed messages, and worlds until ${defaultDeliveries} messages
were delivered. Exits with 1 if the auditor finds a violation.`;

const program: Command = createProgram('simulate', description)
  .option('--seed <n>', 'one world', parseCount)
  .option('--from <n>', 'the first seed', parseCount, 1)
  .option('--seeds <n>', 'how many worlds', parseCount)
  .option('--minutes <n>', 'for how long', parseAmount)
  .option(
    '--deliveries <n>',
    'until so many messages were delivered',
    parseCount,
    defaultDeliveries,
  )
  .option('--clicks <n>', 'smaller worlds: at most so many clicks in each', parseCount)
  .option('--bug <name>', 'plant a bug in the service; "list" prints their names', parseBug)
  .option('--trace', 'print one world event by event (with --seed)')
  .option('--json <file>', 'write the summary, with the digest of each seed')
  .option('--minimise-fully', 'search for the smallest failing world without a time limit')
  .action(simulate);

await runProgram(program);

function parseBug(text: string): string {
  const names = plantedBugs.map(({ name }) => name);
  if (names.includes(text)) return text;
  throw new InvalidArgumentError(`Expected the name of a planted bug:\n  ${names.join('\n  ')}`);
}

async function simulate(options: Options): Promise<void> {
  const isSound = await run(options);
  if (!isSound) process.exitCode = exitCodes.failure;
}

async function run(options: Options): Promise<boolean> {
  if (options.trace) return traceOne(toTask(options, options.seed ?? options.from));
  const isWhole = process.argv.length === 2;
  if (isWhole && !(await runFixedParts())) return false;
  const { summary, digests, failed } = await runMany(options);
  console.log(formatSummary(summary));
  if (options.json) {
    const report = { ...summary, digests, ...(failed && { failed: { ...failed, lines: [] } }) };
    await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (!failed) return true;
  const limitMs = options.minimiseFully ? Number.POSITIVE_INFINITY : minimiseLimitMs;
  console.log(await describeFindings(failed, toTask(options, failed.seed), limitMs));
  return false;
}

/** The parts without seeds: all small worlds, and malformed messages. */
async function runFixedParts(): Promise<boolean> {
  const simulators = [new Simulator(), new Simulator()] as const;
  const count = { worlds: 0, crashes: 0 };
  const problems: string[] = [];
  try {
    const explorations = deliveries.map((_, delivery) =>
      simulators[delivery % 2 === 0 ? 0 : 1].run({ delivery }),
    );
    for (const { worlds, crashes, counterexample = [] } of await Promise.all(explorations)) {
      count.worlds += worlds;
      count.crashes += crashes;
      problems.push(...counterexample);
    }
    console.log(`small worlds: ${count.worlds}, every order, ${count.crashes} with a crash`);
    const result = await simulators[0].run({ malformed: malformedMessages, seed: 1 });
    console.log(`malformed messages: ${result.malformed}, among ${result.neighbours} good ones\n`);
    problems.push(...result.problems);
  } finally {
    await Promise.all(simulators.map((simulator) => simulator.stop()));
  }
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) console.log('again: npm run simulate');
  return problems.length === 0;
}

/** Runs worlds until there are enough, or until one has a violation. */
async function runMany(options: Options) {
  const startMs = performance.now();
  const summary: Summary = { seeds: 0, seconds: 0, violations: 0, totals: {} };
  const digests: Record<number, string> = {};
  let failed: TracedResult | undefined;
  const progress = createProgress(options.deliveries, 'deliveries');
  const onResult = (result: TracedResult) => {
    summary.seeds += 1;
    summary.seconds = (performance.now() - startMs) / 1_000;
    summary.violations += result.violations.length;
    addTotals(summary.totals, result.totals);
    digests[result.seed] = result.digest;
    progress.add(result.totals.deliveries);
    progress.note(`${summary.seeds} worlds, ${summary.violations} violations`);
    if (result.violations.length > 0) failed ??= result;
    return !failed && !isEnough(options, summary);
  };
  try {
    await runWorlds(listTasks(options), onResult);
  } finally {
    progress.end();
  }
  return { summary, digests, failed };
}

function isEnough({ seeds, minutes, deliveries }: Options, summary: Summary): boolean {
  if (seeds !== undefined) return false;
  if (minutes !== undefined) return summary.seconds >= minutes * 60;
  return (summary.totals.deliveries ?? 0) >= deliveries;
}

function* listTasks(options: Options): Generator<WorldTask, undefined> {
  const first = options.seed ?? options.from;
  const count = options.seed === undefined ? options.seeds : 1;
  const end = first + (count ?? Number.POSITIVE_INFINITY);
  for (let seed = first; seed < end; seed += 1) yield toTask(options, seed);
}

function toTask({ bug, clicks }: Options, seed: number): WorldTask {
  return { seed, ...(bug && { bug }), ...(clicks && { options: { maxClicks: clicks } }) };
}

async function traceOne(task: WorldTask): Promise<boolean> {
  const simulator = new Simulator();
  try {
    const { lines, violations, digest } = await simulator.run({ ...task, isTraced: true });
    for (const line of lines) console.log(line);
    for (const { kind, text, about } of violations) {
      console.log(`VIOLATION ${kind}: ${text} (${about.join(', ')})`);
    }
    console.log(`seed ${task.seed}, digest ${digest}, violations: ${violations.length}`);
    return violations.length === 0;
  } finally {
    await simulator.stop();
  }
}
