import { defineConfig } from 'vitest/config';
import { common, timeoutOf, withEngine, withPage } from '../helpers/vitest-projects.ts';

export default defineConfig(
  withPage({
    test: {
      ...common,
      ...withEngine,
      include: ['tests/clients/**/*.test.ts'],
      ...timeoutOf(1_800_000),
    },
  }),
);
