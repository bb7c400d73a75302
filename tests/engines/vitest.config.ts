import { defineConfig } from 'vitest/config';
import { common, timeoutOf, withEngine, withPage } from '../helpers/vitest-projects.ts';
import { browserEngines } from './browsers.ts';

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
