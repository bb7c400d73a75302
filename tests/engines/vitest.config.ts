import { defineConfig } from 'vitest/config';
import { browserEngines } from '../helpers/engines.ts';
import { common, timeoutOf, withEngine, withPage } from '../helpers/vitest-projects.ts';

for (const [name, { findObstacle }] of Object.entries(browserEngines)) {
  const obstacle = findObstacle();
  if (obstacle) console.warn(`SKIPPED: ${name}. ${obstacle}`);
}

export default defineConfig(
  withPage({
    test: {
      ...common,
      ...withEngine,
      include: ['tests/engines/**/*.test.ts'],
      ...timeoutOf(300_000),
      expect: { poll: { timeout: 60_000 } },
    },
  }),
);
