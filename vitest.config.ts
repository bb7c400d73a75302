import { defineConfig } from 'vitest/config';
import { findBrowserObstacle } from './local/engines/chromium.ts';
import { hasZsh } from './tests/helpers/shell.ts';
import {
  common,
  onEngine,
  packaging,
  project,
  runnable,
  timeoutOf,
  withPage,
} from './tests/helpers/vitest-projects.ts';

if (!hasZsh) console.warn('SKIPPED: the README in zsh, which is not installed. bash runs it.');

const browserObstacle = findBrowserObstacle();
if (browserObstacle) console.warn(`SKIPPED: browser. ${browserObstacle}`);

// The functions must agree with every engine. All else is the same on all engines, so one is enough.
const integration = ['clicks', 'links', 'live'].map((folder) => `tests/integration/${folder}`);
const [first] = runnable;
const onFirst = first ? onEngine(first) : undefined;

// A page on a busy machine takes its time, and so does the stack behind it.
const inBrowser = {
  ...timeoutOf(300_000),
  expect: { poll: { timeout: 30_000 } },
  // `npm run generate -- screenshots` takes the pictures.
  ...(!process.env.PICTURES && { exclude: ['tests/browser/picture.test.ts'] }),
};

// What these test doesn't read the environment as it loads, so their files can share loaded modules.
const stateless = ['cli', 'dashboard', 'dynamodb', 'local', 'source-tree'].map(
  (folder) => `tests/unit/${folder}`,
);

export default defineConfig({
  test: {
    ...common,
    projects: [
      // Properties are tried on hundreds of values, on a busy machine for many seconds.
      withPage(
        project('unit', ['tests/unit'], {
          exclude: stateless.map((folder) => `${folder}/**`),
          // Each file has a thread of its own, which starts faster than a process.
          pool: 'threads',
          ...timeoutOf(60_000),
        }),
      ),
      project('unit:stateless', stateless, { isolate: false, ...timeoutOf(60_000) }),
      project('infrastructure', ['tests/infrastructure'], {
        globalSetup: [packaging, 'tests/infrastructure/package-stages.ts'],
        isolate: false,
        ...timeoutOf(180_000),
      }),
      ...runnable.map((engine) =>
        project(`integration:${engine}`, integration, { ...onEngine(engine), pool: 'threads' }),
      ),
      ...(onFirst
        ? [
            project('commands', ['tests/integration/cli'], {
              ...onFirst,
              pool: 'threads',
              isolate: false,
            }),
          ]
        : []),
      ...(onFirst ? [withPage(project('hostile', ['tests/hostile'], onFirst))] : []),
      // The local stack chooses its own engine.
      project('stack', ['tests/integration/local'], timeoutOf(240_000)),
      ...(onFirst && !browserObstacle
        ? [withPage(project('browser', ['tests/browser'], { ...onFirst, ...inBrowser }))]
        : []),
      project('newcomer', ['tests/newcomer'], timeoutOf(300_000)),
    ],
  },
});
