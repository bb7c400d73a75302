import type { PartialStrykerOptions } from '@stryker-mutator/api/core';

/** Where a run leaves its results, for people and for the judge. */
export const reportFile = 'reports/mutation/mutation.json';

/** The page with a reason for each mutant that may live. */
export const acceptedFile = 'docs/mutants.md';

/** How many of its mutants, in percent, the tests must kill; the first path that fits a file counts. */
export const bars: [path: string, percent: number][] = [
  ['lib/idempotency/', 90],
  ['lib/clicks/', 90],
  ['lib/keys.ts', 90],
  ['lib/validation.ts', 90],
  ['functions/aggregate-clicks.ts', 90],
  ['lib/bundle/', 80],
  ['lib/config.ts', 80],
  ['lib/domain.ts', 80],
  ['lib/http/', 80],
  ['lib/links/', 80],
  ['lib/live/', 80],
  ['lib/telemetry/', 80],
  ['functions/', 80],
];

export const strykerOptions: PartialStrykerOptions = {
  mutate: [
    'lib/**/*.ts',
    'functions/**/*.ts',
    // An exhibit of the gauntlet, with known faults: its tests show how it differs, no more.
    '!lib/hand-rolled/**',
    '!functions/aggregate-clicks-hand-rolled.ts',
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'evidence/mutants/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // Stryker would rewrite tsconfig.json for its copy of the project, with an API that TypeScript 7
  // no longer has. Vitest needs no tsconfig.json.
  tsconfigFile: 'none',
  tempDirName: '.stryker-tmp',
  cleanTempDir: 'always',
  ignorePatterns: ['.local', '.build', '.esbuild', '.serverless', 'reports'],
  reporters: ['progress-append-only', 'html', 'json'],
  jsonReporter: { fileName: reportFile },
  htmlReporter: { fileName: 'reports/mutation/index.html' },
  incrementalFile: 'reports/mutation/incremental.json',
  incremental: true,
  allowEmpty: true,
};
