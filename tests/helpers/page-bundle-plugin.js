import { createRequire } from 'node:module';
const { moduleName, bundlePage } = createRequire(import.meta.url)('../../infra/page-bundle.cjs');
// The prefix keeps vite from looking for a file.
const resolved = `\0${moduleName}`;
/** Gives tests that import serve-page the packaged page. */
export function pageBundlePlugin() {
    return {
        name: 'page-bundle',
        resolveId: (id) => (id === moduleName ? resolved : undefined),
        load: async (id) => (id === resolved ? await bundlePage() : undefined),
    };
}
