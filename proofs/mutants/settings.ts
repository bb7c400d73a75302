import { fileURLToPath } from 'node:url';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';

/** The results of a run, with a page for each area. */
export const reportDir = 'reports/mutation';
/** The results of all areas, for judge.ts. */
export const reportFile = `${reportDir}/mutation.json`;

/** The percentage of mutants that tests must kill. The first path that matches a file counts. */
export const bars: [path: string, percent: number][] = [
  ['packages/powertools-idempotency-transactional/src/', 90],
  ['lib/clicks/', 90],
  ['lib/keys.ts', 90],
  ['lib/validation.ts', 90],
  ['functions/aggregate-clicks.ts', 90],
  ['lib/bundle/', 80],
  ['lib/chunk.ts', 80],
  ['lib/config.ts', 80],
  ['lib/domain.ts', 80],
  ['lib/http/', 80],
  ['lib/links/', 80],
  ['lib/live/', 80],
  ['lib/telemetry/', 80],
  ['functions/', 80],
];

/** Code and the tests that must notice its changes. Mutants run only these tests. */
export interface Area {
  name: string;
  /** Patterns of the mutated files. */
  code: string[];
  /** Patterns of test files. */
  tests: string[];
}

/** All of lib/ and functions/ except the hand-rolled counter, whose faults are known. */
export const areas: Area[] = [
  {
    name: 'idempotency',
    code: ['packages/powertools-idempotency-transactional/src/*.ts'],
    tests: ['packages/powertools-idempotency-transactional/tests/{unit,integration}/*.test.ts'],
  },
  {
    name: 'clicks',
    code: [
      'lib/clicks/*.ts',
      'lib/{keys,validation}.ts',
      'functions/{aggregate-clicks,resolve-link}.ts',
    ],
    tests: [
      'tests/unit/{keys,validation}.test.ts',
      'tests/unit/{clicks,links}/*.test.ts',
      'tests/integration/clicks/*.test.ts',
    ],
  },
  {
    name: 'live',
    code: [
      'lib/live/*.ts',
      'functions/{{authorize,close,open}-connection,{try,serve,watch}-*,get-backlog,push-counts}.ts',
    ],
    tests: ['tests/{unit,integration}/live/*.test.ts'],
  },
  {
    name: 'links',
    code: [
      'lib/{bundle,dynamodb,http,links,telemetry}/*.ts',
      'lib/{chunk,config,domain}.ts',
      'functions/{create,import,list,update}-link*.ts',
      'functions/get-link-stats.ts',
    ],
    tests: [
      'tests/unit/{config,domain}.test.ts',
      'tests/unit/{bundle,clicks,dynamodb,http,links,telemetry}/*.test.ts',
      'tests/integration/links/*.test.ts',
    ],
  },
];

/** The same for each area. */
export const strykerOptions: PartialStrykerOptions = {
  testRunner: 'vitest',
  plugins: [
    '@stryker-mutator/vitest-runner',
    fileURLToPath(new URL('module-level.ts', import.meta.url)),
  ],
  vitest: { configFile: 'proofs/mutants/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // Stryker would rewrite its copy's tsconfig.json with an API that TypeScript 7 doesn't have any more.
  // Vitest doesn't need one.
  tsconfigFile: 'none',
  tempDirName: '.stryker-tmp',
  cleanTempDir: 'always',
  ignorePatterns: ['.local', '.build', '.esbuild', '.serverless', 'reports'],
  reporters: ['progress-append-only', 'html', 'json'],
  incremental: true,
};
