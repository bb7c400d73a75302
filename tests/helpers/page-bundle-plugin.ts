import { createRequire } from 'node:module';
import type { Plugin } from 'vitest/config';

interface PageBundle {
  moduleName: string;
  bundlePage: () => Promise<string>;
}

const { moduleName, bundlePage }: PageBundle = createRequire(import.meta.url)(
  '../../infra/page-bundle.cjs',
);
// A module that vite does not look for on the disk.
const resolved = `\0${moduleName}`;

/** Gives a test that imports serve-page the page that packaging gives it. */
export function pageBundlePlugin(): Plugin {
  return {
    name: 'page-bundle',
    resolveId: (id) => (id === moduleName ? resolved : undefined),
    load: async (id) => (id === resolved ? await bundlePage() : undefined),
  };
}
