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
        {
          pool: 'threads',
          isolate: false,
          setupFiles: ['tests/helpers/unhurried.ts', `${tests}/helpers/local-endpoint.ts`],
        },
      ),
      project('unit', [`${tests}/unit`], { isolate: false, pool: 'threads', ...timeoutOf(60_000) }),
    ],
  },
});
