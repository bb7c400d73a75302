import { defineConfig } from 'vitest/config';

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'dynoxide' | 'dynamodb-local';
  }
}

const integration = (engine: 'dynoxide' | 'dynamodb-local') => ({
  test: {
    name: `integration:${engine}`,
    include: ['tests/integration/**/*.test.ts'],
    globalSetup: ['tests/helpers/package-service.ts'],
    provide: { engine },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // What serverless.yml gives every function, so that a test can import one.
    env: {
      STAGE: 'test',
      POWERTOOLS_SERVICE_NAME: 'click-tally',
      POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    },
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        test: {
          name: 'infrastructure',
          include: ['tests/infrastructure/**/*.test.ts'],
          globalSetup: ['tests/helpers/package-service.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      integration('dynoxide'),
      integration('dynamodb-local'),
    ],
  },
});
