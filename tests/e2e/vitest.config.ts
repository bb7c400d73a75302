import { defineConfig } from 'vitest/config';
import { targetVariable } from './target.ts';

const target = process.env[targetVariable];
if (!target) throw new Error('Start these tests with npm run e2e, which finds the stack for them.');

export default defineConfig({
  test: { include: ['tests/e2e/*.test.ts'], provide: { target: JSON.parse(target) } },
});
