import { defineConfig } from 'vitest/config';
import {
  common,
  integration,
  onEngine,
  project,
  timeoutOf,
} from '../../tests/helpers/vitest-projects.ts';

const tests = 'packages/powertools-idempotency-transactional/tests';

export default defineConfig({
  test: {
    ...common,
    root: `${import.meta.dirname}/../..`,
    projects: [
      // What users install is the same on all engines.
      ...onEngine('package', [`${tests}/package`]),
      ...integration(
        ['integration', 'comparison'].map((name) => `${tests}/${name}`),
        { setupFiles: ['tests/helpers/unhurried.ts', `${tests}/helpers/local-endpoint.ts`] },
      ),
      project('unit', [`${tests}/unit`], timeoutOf(60_000)),
    ],
  },
});
