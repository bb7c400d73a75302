import { defineConfig } from 'vitest/config';
import { common, onEngine, runnable, timeoutOf, withPage } from '../helpers/vitest-projects.ts';

export default defineConfig(
  withPage({
    test: {
      ...common,
      ...(runnable[0] && onEngine(runnable[0])),
      include: ['tests/clients/**/*.test.ts'],
      ...timeoutOf(1_800_000),
    },
  }),
);
