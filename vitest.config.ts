import { defineConfig } from 'vitest/config';
import { type Engine, findObstacle } from './local/dynamodb.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine;
  }
}

const engines: Engine[] = ['dynoxide', 'dynamodb-local'];
const runnable = engines.filter((engine) => {
  const obstacle = findObstacle(engine);
  if (obstacle) console.warn(`SKIPPED: integration:${engine}. ${obstacle}`);
  return obstacle === undefined;
});

// The whole stack chooses its engine itself, so once is enough.
const stackTests = 'tests/integration/local-*.test.ts';
// The operators' commands read and scan, which the engines do alike, so once is enough.
const commandTests = 'tests/integration/cli-*.test.ts';

const onEngine = (engine: Engine) => ({
  globalSetup: ['tests/helpers/package-service.ts'],
  provide: { engine },
  testTimeout: 60_000,
  hookTimeout: 60_000,
});

const integration = (engine: Engine) => ({
  test: {
    name: `integration:${engine}`,
    include: ['tests/integration/**/*.test.ts', 'tests/simulation/engines/*.test.ts'],
    exclude: [stackTests, commandTests],
    ...onEngine(engine),
  },
});

const commands = (engine: Engine) => ({
  test: { name: 'commands', include: [commandTests], ...onEngine(engine) },
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
          globalSetup: [
            'tests/helpers/package-service.ts',
            'tests/infrastructure/package-stages.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'simulation',
          include: ['tests/simulation/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      ...runnable.map(integration),
      ...runnable.slice(0, 1).map(commands),
      {
        test: {
          name: 'stack',
          include: [stackTests],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
