import { globSync } from 'node:fs';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { packageTemplate } from '../../local/engines/serverless.ts';
import { parseCount } from '../../terminal/arguments.ts';
import { CommandError } from '../../terminal/command-error.ts';
import { createProgram, exitCodes, runProgram } from '../../terminal/program.ts';
import type { Change, MutationReport } from '../kit/mutation-report.ts';
import { type Judgement, judge, readAccepted, toDiff } from './judge.ts';
import { moduleLevel } from './module-level.ts';
import {
  type Area,
  acceptedFile,
  areas,
  bars,
  reportDir,
  reportFile,
  strykerOptions,
} from './settings.ts';

const description =
  'Change the code of lib/ and functions/ in every way that Stryker knows, one change at a time, and ' +
  `see whether a test fails. Exit with 1 if too few do, or if a change that no test noticed has no ` +
  `reason in ${acceptedFile}. The reports are in ${reportDir}, a page for each part of the code.`;

interface Options {
  threads?: number;
  changed?: boolean;
  static?: boolean;
  run: boolean;
}

await runProgram(
  createProgram('mutate', description)
    .argument('[paths...]', 'only these files, such as "lib/links/*.ts"')
    .option('--threads <n>', 'mutants at once', parseCount)
    .option('--changed', 'keep the results of mutants whose code and tests are as they were')
    .option('--static', 'mutants of what runs only as a module loads, too: four times as long')
    .option('--no-run', 'judge the report of the last run')
    .action(async (paths: string[], options: Options) => {
      if (options.run) await testMutants(paths, options);
      const [report, accepted] = await Promise.all([
        readFile(reportFile, 'utf8'),
        readFile(acceptedFile, 'utf8'),
      ]);
      const judgement = judge(JSON.parse(report), bars, readAccepted(accepted));
      if (!print(judgement)) process.exitCode = exitCodes.failure;
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
  await packageTemplate({ stage: 'local', outDir: dir.path });
  const { endpoint, stop } = await startDynamoDb({ engine: 'dynoxide' });
  cleanup.defer(stop);
  // All test runs, in processes of Stryker's own, share one package and one engine.
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

/** Prints the scores and what is wrong; true if nothing is. */
function print({ scores, unexplained, outdated }: Judgement): boolean {
  for (const { path: name, bar, killed, all } of scores) {
    const percent = ((100 * killed) / all).toFixed(1);
    console.log(`${name.padEnd(32)}${percent.padStart(6)} % of ${all} mutants (at least ${bar} %)`);
  }
  printMutants(`Mutants that no test kills, without a reason in ${acceptedFile}:`, unexplained);
  printMutants(`Reasons in ${acceptedFile} for mutants that are killed, or gone:`, outdated);
  const isPassed = scores.every(({ bar, killed, all }) => killed >= (all * bar) / 100);
  return isPassed && unexplained.length === 0 && outdated.length === 0;
}

function printMutants(title: string, mutants: Change[]): void {
  if (mutants.length === 0) return;
  console.log(`\n${title}`);
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    console.log(`\n## ${file}\n\n${own.map(toDiff).join('\n')}`);
  }
}
