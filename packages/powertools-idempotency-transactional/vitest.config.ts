import { defineConfig } from 'vitest/config';
import {
  common,
  onEngine,
  project,
  runnable,
  timeoutOf,
} from '../../tests/helpers/vitest-projects.ts';

const tests = 'packages/powertools-idempotency-transactional/tests';
const [first] = runnable;

export default defineConfig({
  test: {
    ...common,
    root: `${import.meta.dirname}/../..`,
    projects: [
      project('unit', [`${tests}/unit`], timeoutOf(60_000)),
      ...runnable.map((engine) => {
        const folders = ['integration', 'comparison'].map((name) => `${tests}/${name}`);
        return project(`integration:${engine}`, folders, onEngine(engine));
      }),
      // What users install is the same on all engines.
      ...(first ? [project('package', [`${tests}/package`], onEngine(first))] : []),
    ],
  },
});
