import { defineConfig } from 'vitest/config';
import { targetVariable } from './target.ts';
const target = process.env[targetVariable];
if (!target)
    throw new Error('Run these tests with npm run e2e, which finds the stack.');
export default defineConfig({
    test: { include: ['tests/e2e/*.test.ts'], provide: { target: JSON.parse(target) } },
});
