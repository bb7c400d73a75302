import { defineConfig } from 'vitest/config';
import { standalone } from '../helpers/vitest-projects.ts';
import { browserEngines } from './browsers.ts';

for (const [name, { findObstacle }] of Object.entries(browserEngines)) {
  const obstacle = findObstacle();
  if (obstacle) console.warn(`SKIPPED: ${name}. ${obstacle}`);
}

export default defineConfig(
  standalone('tests/engines', 300_000, { expect: { poll: { timeout: 60_000 } } }),
);
