import { globSync } from 'node:fs';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { parseCount } from '../../cli/terminal/arguments.ts';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { packageService } from '../../local/engines/serverless.ts';
import { judge, type Score } from './judge.ts';
import { moduleLevel } from './module-level.ts';
import type { Mutant, MutationReport } from './mutation-report.ts';
import { type Area, areas, bars, reportDir, reportFile, strykerOptions } from './settings.ts';

const description =
  'Mutate the code of lib/ and functions/ with Stryker, one change at a time, and see whether a test ' +
  `fails. List the changes that no test noticed, and exit with 1 if there are too many. The reports ` +
  `are in ${reportDir}, with a page for each part of the code.`;

interface Options {
  threads?: number;
  changed?: boolean;
  static?: boolean;
  run: boolean;
}

await runProgram(
  createProgram('mutate', description, 'proofs')
    .argument('[paths...]', 'only these files, such as "lib/links/*.ts"')
    .option('--threads <n>', 'number of concurrent mutants', parseCount)
    .option('--changed', 'reuse the results of mutants whose code and tests have not changed')
    .option(
      '--static',
      'also mutate code that runs only when its module loads: takes four times as long',
    )
    .option('--no-run', 'only judge the report of the last run')
    .action(async (paths: string[], options: Options) => {
      if (options.run) await testMutants(paths, options);
      const { scores, survivors } = judge(JSON.parse(await readFile(reportFile, 'utf8')), bars);
      printSurvivors(survivors);
      if (!printScores(scores)) process.exitCode = exitCodes.failure;
    }),
);

async function testMutants(paths: string[], options: Options): Promise<void> {
  const asked = paths.length > 0 ? new Set(globSync(paths)) : undefined;
  const parts = areas
    .map((area) => {
      const code = globSync(area.code);
      return { area, mutate: asked ? code.filter((file) => asked.has(file)) : code };
    })
    .filter(({ mutate }) => mutate.length > 0);
  if (parts.length === 0) {
    throw new CommandError(
      `Expected code of lib/ or functions/, such as "lib/links/*.ts"; got ${paths.join(' ')}`,
    );
  }
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-package-')));
  await packageService({ stage: 'local', outDir: dir.path, isEmpty: true });
  const { endpoint, stop } = await startDynamoDb({ engine: 'dynoxide' });
  cleanup.defer(stop);
  // All test runs, which are Stryker's processes, share one package and one engine.
  process.env.MUTANTS_PACKAGE_DIR = dir.path;
  process.env.DYNAMODB_ENDPOINT = endpoint;
  const files: MutationReport['files'] = {};
  for (const { area, mutate } of parts) {
    Object.assign(files, (await testArea(area, mutate, options)).files);
  }
  await writeFile(reportFile, JSON.stringify({ files }));
}

async function testArea(
  { name, tests }: Area,
  mutate: string[],
  { threads, changed, static: withStatic = false }: Options,
): Promise<MutationReport> {
  const fileName = path.join(reportDir, `${name}.json`);
  process.env.MUTANTS_TESTS = tests.join(' ');
  const stryker = new Stryker({
    ...strykerOptions,
    mutate,
    jsonReporter: { fileName },
    htmlReporter: { fileName: path.join(reportDir, `${name}.html`) },
    incrementalFile: path.join(reportDir, `${name}.incremental.json`),
    ...(threads && { concurrency: threads }),
    force: !changed,
    ignorers: withStatic ? [] : [moduleLevel],
    ignoreStatic: !withStatic,
  });
  await stryker.runMutationTest();
  return JSON.parse(await readFile(fileName, 'utf8'));
}

/** Prints the scores. Returns whether each reaches its bar. */
function printScores(scores: Score[]): boolean {
  for (const { path: name, bar, killed, all } of scores) {
    const percent = ((100 * killed) / all).toFixed(1);
    console.log(`${name.padEnd(32)}${percent.padStart(6)} % of ${all} mutants (at least ${bar} %)`);
  }
  return scores.every(({ bar, killed, all }) => killed >= (all * bar) / 100);
}

function printSurvivors(survivors: Mutant[]): void {
  for (const { place, before, after } of survivors) {
    console.log(`${place}\n- ${before}\n+ ${after}\n`);
  }
}
