import { writeFile } from 'node:fs/promises';
import { deliveries } from './exhaustive.ts';
import { describeFindings } from './findings.ts';
import type { Job, JobResult } from './jobs.ts';
import { readOptions, UsageError, usage } from './options.ts';
import { plantedBugs } from './planted-bugs.ts';
import { runJobs, Simulator } from './pool.ts';
import { showProgress } from './progress.ts';
import { formatSummary, type Summary } from './report.ts';
import { addTotals } from './statistics.ts';

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 2;
}

/** The exit code: 0 where all is well, 1 where the auditor objected. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(`${usage}\n\nbugs:\n${plantedBugs.map(({ name }) => `  ${name}`).join('\n')}`);
    return 0;
  }
  if (options.trace) return traceOne(options.job(options.from));
  const isWhole = options.isWhole ? await runFixedParts() : true;
  if (!isWhole) return 1;
  const { summary, failed } = await runMany(options);
  console.log(formatSummary(summary));
  if (options.json) await writeFile(options.json, JSON.stringify({ ...summary, failed }, null, 2));
  if (failed) console.log(await describeFindings(failed, options.job(failed.seed)));
  return failed ? 1 : 0;
}

// What needs no seeds: all small worlds, and malformed messages.
async function runFixedParts(): Promise<boolean> {
  const simulators = [new Simulator(), new Simulator()] as const;
  const count = { worlds: 0, crashes: 0 };
  const problems: string[] = [];
  try {
    const explorations = deliveries.map((_, index) =>
      simulators[index % 2 === 0 ? 0 : 1].run({ delivery: index }),
    );
    for (const { worlds, crashes, counterexample = [] } of await Promise.all(explorations)) {
      count.worlds += worlds;
      count.crashes += crashes;
      problems.push(...counterexample);
    }
    console.log(
      `small worlds: ${count.worlds}, every order, ${count.crashes} of them with a crash`,
    );
    const { malformed, neighbours, ...rest } = await simulators[0].run({
      malformed: 10_000,
      seed: 1,
    });
    console.log(`malformed messages: ${malformed}, among ${neighbours} good ones\n`);
    problems.push(...rest.problems);
  } finally {
    await Promise.all(simulators.map((simulator) => simulator.stop()));
  }
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

type Options = ReturnType<typeof readOptions>;

// Goes on until there is enough, or something is wrong.
async function runMany(options: Options): Promise<{ summary: Summary; failed?: JobResult }> {
  const startMs = performance.now();
  const summary: Summary = { seeds: 0, seconds: 0, violations: 0, totals: {} };
  let failed: JobResult | undefined;
  const progress = showProgress(summary);
  const onResult = (result: JobResult) => {
    summary.seeds += 1;
    summary.seconds = (performance.now() - startMs) / 1_000;
    summary.violations += result.violations.length;
    addTotals(summary.totals, result.totals);
    if (result.violations.length > 0) failed ??= result;
    return !failed && !options.isEnough(summary);
  };
  try {
    await runJobs(seedsFrom(options), onResult);
  } finally {
    progress.stop();
  }
  return { summary, ...(failed && { failed }) };
}

function* seedsFrom({ from, job }: Options): Generator<Job, undefined> {
  for (let seed = from; ; seed += 1) yield job(seed);
}

async function traceOne(job: Job): Promise<number> {
  const simulator = new Simulator();
  try {
    const { lines, violations, digest } = await simulator.run({ ...job, isTraced: true });
    for (const line of lines) console.log(line);
    for (const { kind, text, about } of violations)
      console.log(`VIOLATION ${kind}: ${text}`, about);
    console.log(`seed ${job.seed}, digest ${digest}, violations: ${violations.length}`);
    return violations.length > 0 ? 1 : 0;
  } finally {
    await simulator.stop();
  }
}
