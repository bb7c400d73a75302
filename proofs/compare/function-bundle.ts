import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** Bundles the functions as a deployment does, so that a killed process's successor starts fast. */
export async function bundleFunctions() {
  const dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-compare-'));
  try {
    await build({
      entryPoints: [path.join(import.meta.dirname, 'function-process.ts')],
      outdir: dir.path,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      // The SDK's CommonJS parts call require(), which ES modules don't have.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
  } catch (error) {
    await dir.remove();
    throw error;
  }
  return {
    /** The entry file of a function's process. */
    entry: path.join(dir.path, 'function-process.mjs'),
    /** Where Node keeps its compiled code. */
    compileCacheDir: path.join(dir.path, 'compile-cache'),
    [Symbol.asyncDispose]: () => dir.remove(),
  };
}
