import { defineConfig } from 'vitest/config';
import {
  common,
  integration,
  onEngine,
  packaging,
  project,
  timeoutOf,
} from '../tests/helpers/vitest-projects.ts';

export default defineConfig({
  test: {
    ...common,
    root: `${import.meta.dirname}/..`,
    projects: [
      // Tests that share a simulator wait for each other, on a busy machine for minutes.
      project('simulation', ['proofs/tests/simulation'], timeoutOf(1_800_000)),
      project('model', ['proofs/tests/model'], timeoutOf(1_800_000)),
      project('rules', ['proofs/tests/rules'], {
        globalSetup: [packaging, 'tests/infrastructure/package-stages.ts'],
        ...timeoutOf(180_000),
      }),
      // The simulation's model of DynamoDB must agree with every engine.
      ...integration(
        ['compare', 'dynamodb-model'].map((name) => `proofs/tests/integration/${name}`),
      ),
      // The present code beside that of earlier releases.
      ...onEngine('releases', ['proofs/tests/releases'], {
        globalSetup: [
          packaging,
          'tests/infrastructure/package-stages.ts',
          'tests/helpers/shared-engine.ts',
        ],
      }),
      project('unit', ['proofs/tests/unit'], { globalSetup: [packaging], ...timeoutOf(60_000) }),
    ],
  },
});
