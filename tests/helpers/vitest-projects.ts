import { availableParallelism } from 'node:os';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { type Engine, findProblem } from '../../local/engines/dynamodb.ts';
import { pageBundlePlugin } from './page-bundle-plugin.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine;
    /** Whether functions run under their roles. One engine suffices for that. */
    underRoles: boolean;
  }
}

// Tests start many processes with the same modules. With a cache, Node compiles these once.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/click-tally/compiled');

const { DYNAMODB_ENGINE } = process.env;
const engines: Engine[] = ['dynoxide', 'dynamodb-local'];
const problems = engines.map((engine) => findProblem(engine));

/** The engine that DYNAMODB_ENGINE names, or the first that this machine can run, if any. */
const engine = engines.find((one, index) => (DYNAMODB_ENGINE ?? one) === one && !problems[index]);

if (!engine) {
  const reason = problems.filter((problem) => problem).join(' ');
  if (DYNAMODB_ENGINE) throw new Error(`expected to run DynamoDB as ${DYNAMODB_ENGINE}. ${reason}`);
  console.warn(`SKIPPED: integration. ${reason}`);
}

/**
 * Runs the projects in the order of the configuration, in each the longest file first. So the files that mostly
 * wait can begin first, beside others that compute. A project's files stay together, because without isolation
 * a worker is kept only for a next file of the same project. By default, projects run in the order of their names.
 */
class ProjectsInOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return this.ctx.projects.flatMap((own) => sorted.filter(({ project }) => project === own));
  }
}

/** The settings of all tests: the service's, its packages' and the proofs'. */
export const common = {
  // Tests mostly wait for queues, processes and browsers. With more files in parallel, some of them
  // would wait too long for a core.
  maxWorkers: availableParallelism() + 2,
  sequence: { sequencer: ProjectsInOrder },
  // serverless.yml sets these for every function.
  env: {
    STAGE: 'test',
    POWERTOOLS_SERVICE_NAME: 'click-tally',
    POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    // Limits that tests don't reach unless they set their own.
    CONNECTIONS_PER_USER: '100',
    REQUESTS_PER_USER_PER_MINUTE: '100000',
    HOSTING_IS_BOT: 'false',
    COUNT_VISITORS: 'true',
    STALE_LINK_SECONDS: '3600',
  },
};

export const timeoutOf = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

/** Packages the template once for all files of a run. */
export const packaging = 'tests/helpers/package-template.ts';

export const project = (name: string, folders: string[], options: object = {}) => ({
  test: { name, include: folders.map((folder) => `${folder}/**/*.test.ts`), ...options },
});

/** For tests that import serve-page. */
export const withPage = (tests: object) => ({ ...tests, plugins: [pageBundlePlugin()] });

/** What is the same on all engines: injected faults, the bus, queues, roles and turns. */
const engineIndependent = [
  'clicks/{clicks-that-come-back,dynamodb-faults,hand-rolled,publish-click}',
  'links/request-limit',
  'live/push-order',
].map((files) => `tests/integration/${files}.test.ts`);

/** One engine for all files. With a named engine, it runs only what can differ between engines. */
const withEngine = engine && {
  globalSetup: [packaging, 'tests/helpers/shared-engine.ts'],
  setupFiles: ['tests/helpers/unhurried.ts'],
  provide: { engine, underRoles: !DYNAMODB_ENGINE },
  ...(DYNAMODB_ENGINE && { exclude: engineIndependent }),
  ...timeoutOf(240_000),
};

/** A project on the engine, or none on a machine that can't run one. */
export const onEngine = (name: string, folders: string[], options: object = {}) =>
  withEngine ? [project(name, folders, { ...withEngine, ...options })] : [];

/** The settings of a folder that `npm test` leaves out, on the engine. */
export const standalone = (folder: string, timeoutMs: number, options: object = {}) => {
  const own = { ...withEngine, ...timeoutOf(timeoutMs), ...options };
  return withPage({ test: { ...common, include: [`${folder}/**/*.test.ts`], ...own } });
};

/** The project that is repeated on each engine. */
export const integration = (folders: string[], options?: object) =>
  onEngine(`integration:${engine}`, folders, options);
