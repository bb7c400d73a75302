import { createRequire } from 'node:module';

/** What stands in for parts of packages in the bundles of the deployment. */
export const bundleAliases: Record<string, string> = createRequire(import.meta.url)(
  '../../infra/bundle-aliases.cjs',
);
