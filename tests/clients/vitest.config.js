import { defineConfig } from 'vitest/config';
import { standalone } from '../helpers/vitest-projects.ts';
export default defineConfig(standalone('tests/clients', 1800000));
