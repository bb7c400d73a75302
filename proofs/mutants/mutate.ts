import { globSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { packageService } from '../../local/engines/serverless.ts';
import { type Area, areas } from './areas.ts';

/** A page for each area. */
const reportDir = 'reports/mutation';

const description =
  'Mutate the code of lib/ and functions/ with Stryker, one change at a time, and see whether a test ' +
  'fails. List the changes that no test noticed, and exit with 1 if there are too many. The reports ' +
  `are in ${reportDir}, with a page for each part of the code.`;

interface Options {
  changed?: boolean;
}

await runProgram(
  createProgram('mutate', description, 'proofs')
    .argument('[paths...]', 'only these files, such as "lib/links/*.ts"')
    .option('--changed', 'reuse the results of mutants whose code and tests have not changed')
    .action(testMutants),
);

async function testMutants(paths: string[], options: Options): Promise<void> {
  const asked = paths.length > 0 ? new Set(globSync(paths)) : undefined;
  const parts = areas
    .map((area) => ({
      area,
      mutate: globSync(area.code).filter((file) => asked?.has(file) ?? true),
    }))
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
  for (const { area, mutate } of parts) await testArea(area, mutate, options);
}

// Stryker prints the survivors, and sets the exit code if an area is below its bar.
async function testArea(
  { name, bar, tests }: Area,
  mutate: string[],
  { changed }: Options,
): Promise<void> {
  process.env.MUTANTS_TESTS = tests.join(' ');
  const stryker = new Stryker({
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'proofs/mutants/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    // Code that runs only as its module loads would need all tests, which takes four times as long.
    ignoreStatic: true,
    // Stryker would rewrite its copy's tsconfig.json with an API that TypeScript 7 doesn't have any more.
    // Vitest doesn't need one.
    tsconfigFile: 'none',
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    ignorePatterns: ['.local', '.build', '.esbuild', '.serverless', 'reports'],
    reporters: ['progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { logTests: false },
    htmlReporter: { fileName: path.join(reportDir, `${name}.html`) },
    thresholds: { high: bar, low: bar, break: bar },
    incremental: true,
    incrementalFile: path.join(reportDir, `${name}.incremental.json`),
    force: !changed,
  });
  await stryker.runMutationTest();
}
