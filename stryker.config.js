export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutate.config.ts' },
  mutate: ['lib/idempotency/**/*.ts'],
  concurrency: 1,
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  reporters: ['clear-text', 'json'],
  tempDirName: '.stryker-tmp',
};
