import { defineConfig } from 'vitest/config';
import { findBrowserProblem } from './local/engines/chromium.ts';
import {
  common,
  integration,
  onEngine,
  packaging,
  project,
  timeoutOf,
  withPage,
} from './tests/helpers/vitest-projects.ts';

const browserProblem = findBrowserProblem();
if (browserProblem) console.warn(`SKIPPED: browser. ${browserProblem}`);

// A page on a busy machine takes its time, and so does the stack behind it.
const inBrowser = {
  ...timeoutOf(300_000),
  isolate: false,
  expect: { poll: { timeout: 30_000 } },
  // `npm run generate -- screenshots` takes the pictures.
  exclude: [
    ...(process.env.PICTURES ? [] : ['tests/browser/picture.test.ts']),
    ...(process.env.MEASURE ? [] : ['tests/browser/overview-speed.test.ts']),
  ],
};

// They replace modules, or set the environment before they load one, so each needs modules of its own.
const isolated = [
  'aws/aws-client',
  'clicks/aggregate-clicks',
  'clicks/invariants',
  'http/http',
  'links/table-requests',
  'live/authorize-connection',
  'live/serve-page',
  'redirect/find-link',
  'redirect/visitor-page',
  'telemetry/powertools',
].map((name) => `tests/unit/${name}.test.ts`);

export default defineConfig({
  test: {
    ...common,
    projects: [
      ...onEngine('commands', ['tests/integration/cli'], { pool: 'threads', isolate: false }),
      ...(browserProblem ? [] : onEngine('browser', ['tests/browser'], inBrowser).map(withPage)),
      // The local stack chooses its own engine.
      project('stack', ['tests/integration/local'], timeoutOf(240_000)),
      ...onEngine('hostile', ['tests/hostile']).map(withPage),
      // The functions must agree with every engine. All else is the same on all engines.
      ...integration(
        ['clicks', 'links', 'live', 'standby'].map((folder) => `tests/integration/${folder}`),
        { pool: 'threads', isolate: false },
      ),
      project('infrastructure', ['tests/infrastructure'], {
        globalSetup: [packaging, 'tests/infrastructure/package-stages.ts'],
        isolate: false,
        ...timeoutOf(180_000),
      }),
      // Properties are tried on hundreds of values, on a busy machine for many seconds.
      project('unit', ['tests/unit'], {
        exclude: isolated,
        isolate: false,
        ...timeoutOf(60_000),
      }),
      withPage(
        project('unit:isolated', ['tests/unit'], {
          include: isolated,
          // Each file has a thread of its own, which starts faster than a process.
          pool: 'threads',
          ...timeoutOf(60_000),
        }),
      ),
    ],
  },
});
