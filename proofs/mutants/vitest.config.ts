import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { pageBundlePlugin } from '../../tests/helpers/page-bundle-plugin.ts';
import { common, timeoutOf } from '../../tests/helpers/vitest-projects.ts';

/** The first failure ends a run, so the faster unit tests run first. */
class UnitTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isUnit = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/unit/');
    return [...files.filter(isUnit), ...files.filter((file) => !isUnit(file))];
  }
}

export default defineConfig({
  // Stryker's copy shares the original's node_modules, whose link to the package leads out of the copy.
  resolve: {
    alias: {
      'powertools-idempotency-transactional/sheets': path.resolve(
        'packages/powertools-idempotency-transactional/src/sheets.ts',
      ),
      'powertools-idempotency-transactional': path.resolve(
        'packages/powertools-idempotency-transactional/src/index.ts',
      ),
    },
  },
  plugins: [pageBundlePlugin()],
  test: {
    include: process.env.MUTANTS_TESTS?.split(' '),
    exclude: [
      // This takes longer than all others together.
      'tests/integration/clicks/dynamodb-faults.test.ts',
      'tests/integration/clicks/hand-rolled.test.ts',
    ],
    env: common.env,
    provide: {
      engine: 'dynoxide',
      endpoint: process.env.DYNAMODB_ENDPOINT ?? '',
      packageDir: process.env.MUTANTS_PACKAGE_DIR ?? '',
    },
    sequence: { sequencer: UnitTestsFirst },
    ...timeoutOf(60_000),
  },
});
