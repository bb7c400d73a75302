import { defineConfig } from 'vitest/config';
import { hasZsh } from '../helpers/shell.ts';
import { common, timeoutOf } from '../helpers/vitest-projects.ts';

if (!hasZsh) console.warn('SKIPPED: the README in zsh, which is not installed. bash runs it.');

export default defineConfig({
  test: { ...common, include: ['tests/newcomer/**/*.test.ts'], ...timeoutOf(300_000) },
});
