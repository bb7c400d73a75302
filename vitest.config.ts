import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { findBrowserObstacle } from './local/engines/chromium.ts';
import { type Engine, findObstacle } from './local/engines/dynamodb.ts';
import { pageBundlePlugin } from './tests/helpers/page-bundle-plugin.ts';
import { ProjectsInTurn } from './tests/helpers/projects-in-turn.ts';
import { isInstalled } from './tests/helpers/shell.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine;
    /** Whether functions run under their roles, which decide alike on all engines. */
    underRoles: boolean;
  }
}

const engines: Engine[] = ['dynoxide', 'dynamodb-local'];
const runnable = engines.filter((engine) => {
  const obstacle = findObstacle(engine);
  if (obstacle) console.warn(`SKIPPED: integration:${engine}. ${obstacle}`);
  return obstacle === undefined;
});

if (!isInstalled('zsh')) console.warn('SKIPPED: the README in zsh. It is not installed.');

const browserObstacle = findBrowserObstacle();
if (browserObstacle) console.warn(`SKIPPED: browser. ${browserObstacle}`);

// Tests start many processes that load the same modules. With a cache, Node compiles these once.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/click-tally/compiled');

const packaging = 'tests/helpers/package-template.ts';
const timeoutOf = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

/** Runs the tests in these folders of tests/. */
const project = (name: string, folders: string[], options: object = {}) => ({
  test: { name, include: folders.map((folder) => `tests/${folder}/**/*.test.ts`), ...options },
});

/** For tests that import serve-page. */
const withPage = (tests: object) => ({ ...tests, plugins: [pageBundlePlugin()] });

const onEngine = (engine: Engine) => ({
  globalSetup: [packaging, 'tests/helpers/shared-engine.ts'],
  setupFiles: ['tests/helpers/unhurried.ts'],
  provide: { engine, underRoles: engine === runnable[0] },
  ...timeoutOf(240_000),
});

// The functions, and the simulation's model of DynamoDB, must agree with every engine.
const integration = (engine: Engine) =>
  project(
    `integration:${engine}`,
    ['clicks', 'links', 'live', 'idempotency', 'compare', 'peer', 'dynamodb-model', 'examples'].map(
      (folder) => `integration/${folder}`,
    ),
    onEngine(engine),
  );

// A page on a busy machine takes its time, and so does the stack behind it.
const inBrowser = { ...timeoutOf(180_000), expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    // Most of the time, tests wait for queues, processes and browsers: on two cores, two files at a time
    // left half of the cores idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: ProjectsInTurn },
    // serverless.yml sets these for every function; a test that imports one needs them.
    env: {
      STAGE: 'test',
      POWERTOOLS_SERVICE_NAME: 'click-tally',
      POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
      // More than a test reaches, unless it sets its own.
      CONNECTIONS_PER_USER: '100',
      REQUESTS_PER_USER_PER_MINUTE: '10000',
    },
    projects: [
      // Properties are tried on hundreds of values, on a busy machine for many seconds.
      withPage(project('unit', ['unit'], timeoutOf(60_000))),
      project('infrastructure', ['infrastructure'], {
        globalSetup: [packaging, 'tests/infrastructure/package-stages.ts'],
        ...timeoutOf(180_000),
      }),
      // Tests that share a simulator wait for each other, on a busy machine for minutes.
      project('simulation', ['simulation'], timeoutOf(900_000)),
      ...runnable.map(integration),
      // Operators' commands only read and scan, which all engines do alike, so one is enough.
      ...runnable
        .slice(0, 1)
        .map((engine) => project('commands', ['integration/cli'], onEngine(engine))),
      // What the package brings to its users is the same on all engines, too.
      ...runnable
        .slice(0, 1)
        .map((engine) => project('package', ['integration/package'], onEngine(engine))),
      ...runnable
        .slice(0, 1)
        .map((engine) => withPage(project('hostile', ['hostile'], onEngine(engine)))),
      // The local stack chooses its own engine.
      project('stack', ['integration/local'], timeoutOf(240_000)),
      ...(browserObstacle ? [] : [withPage(project('browser', ['browser'], inBrowser))]),
      project('newcomer', ['newcomer'], timeoutOf(300_000)),
    ],
  },
});
