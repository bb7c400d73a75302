import path from 'node:path';
import { build } from 'esbuild';
import type { Stoppable } from '../../local/engines/stoppable.ts';
import { createTemporaryDir } from '../kit/temporary-dir.ts';

export type FunctionBundle = Stoppable & {
  /** The program of a function's process. */
  entry: string;
  /** Where Node keeps what it compiled. */
  compileCacheDir: string;
};

/** Bundles the functions as deployment does: a killed process is soon followed by a new one. */
export async function bundleFunctions(): Promise<FunctionBundle> {
  const { dir, remove } = await createTemporaryDir();
  await build({
    entryPoints: [path.join(import.meta.dirname, 'function-process.ts')],
    outdir: dir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // The SDK's CommonJS parts call require(), which an ES module does not have.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return {
    entry: path.join(dir, 'function-process.mjs'),
    compileCacheDir: path.join(dir, 'compile-cache'),
    stop: async () => remove(),
  };
}
