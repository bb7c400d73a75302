import { defineConfig } from 'vitest/config';
import { standalone } from '../helpers/vitest-projects.ts';
import { browserEngines } from './browsers.ts';

for (const [name, { findProblem }] of Object.entries(browserEngines)) {
  const problem = findProblem();
  if (problem) console.warn(`SKIPPED: ${name}. ${problem}`);
}

export default defineConfig(
  standalone('tests/engines', 300_000, { expect: { poll: { timeout: 60_000 } } }),
);
