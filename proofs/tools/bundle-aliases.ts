import { createRequire } from 'node:module';

/** The deployment's replacements for parts of packages. */
export const bundleAliases: Record<string, string> = createRequire(import.meta.url)(
  '../../infra/bundle-aliases.cjs',
);
