import { globSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { packageService } from '../../local/engines/serverless.ts';

const layer = 'packages/powertools-idempotency-transactional';
const counting = globSync([
  `${layer}/src/*.ts`,
  'lib/clicks/*.ts',
  'lib/{code-schema,keys,validation}.ts',
  'functions/{aggregate-clicks,resolve-link}.ts',
]);
const others = globSync(['lib/**/*.ts', 'functions/*.ts']).filter(
  (file) => !counting.includes(file),
);

/** Code, the tests that must notice its changes, and the percentage of mutants that they must kill. */
const areas = [
  {
    name: 'counting',
    bar: 90,
    code: counting,
    tests: [
      `${layer}/tests/{unit,integration}/*.test.ts`,
      'tests/unit/validation.test.ts',
      'tests/unit/{clicks,links,redirect}/*.test.ts',
      'tests/integration/clicks/*.test.ts',
    ],
  },
  {
    name: 'others',
    bar: 80,
    code: others,
    tests: [
      'tests/unit/config.test.ts',
      'tests/unit/{api-keys,aws,clicks,dynamodb,http,links,live,redirect,telemetry}/*.test.ts',
      'tests/integration/{links,live}/*.test.ts',
    ],
  },
];

const description =
  'Mutate the code of lib/ and functions/ with Stryker, one change at a time, and see whether a test ' +
  'fails. List the changes that no test noticed, and exit with 1 if there are too many. The reports ' +
  'are in reports/mutation, with a page for each part of the code.';

await runProgram(
  createProgram('mutate', description, 'proofs')
    .argument('[paths...]', 'only these files, such as "lib/redirect/*.ts"')
    .action(testMutants),
);

async function testMutants(paths: string[]): Promise<void> {
  const asked = globSync(paths);
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-package-')));
  await packageService({ stage: 'local', outDir: dir.path, isEmpty: true });
  const { endpoint, stop } = await startDynamoDb({ engine: 'dynoxide' });
  cleanup.defer(stop);
  // All test runs, which are Stryker's processes, share one package and one engine.
  process.env.MUTANTS_PACKAGE_DIR = dir.path;
  process.env.DYNAMODB_ENDPOINT = endpoint;
  for (const area of areas) {
    const code = area.code.filter((file) => paths.length === 0 || asked.includes(file));
    if (code.length > 0) await testArea({ ...area, code });
  }
}

// Stryker prints the survivors, and sets the exit code if an area is below its bar.
async function testArea({ name, bar, code, tests }: (typeof areas)[number]): Promise<void> {
  process.env.MUTANTS_TESTS = tests.join(' ');
  const stryker = new Stryker({
    mutate: code,
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
    htmlReporter: { fileName: `reports/mutation/${name}.html` },
    thresholds: { high: bar, low: bar, break: bar },
  });
  await stryker.runMutationTest();
}
