import { createRequire } from 'node:module';
import type { Plugin } from 'vitest/config';

interface PageBundle {
  moduleName: string;
  bundlePage: () => Promise<string>;
}

const { moduleName, bundlePage }: PageBundle = createRequire(import.meta.url)(
  '../../infra/page-bundle.cjs',
);
// The prefix keeps vite from looking for a file.
const resolved = `\0${moduleName}`;

/** Gives tests that import serve-page the packaged page. */
export function pageBundlePlugin(): Plugin {
  return {
    name: 'page-bundle',
    resolveId: (id) => (id === moduleName ? resolved : undefined),
    load: async (id) => (id === resolved ? await bundlePage() : undefined),
  };
}
