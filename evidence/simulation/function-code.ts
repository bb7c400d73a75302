import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { projectDir } from '../../local/engines/serverless.ts';

/** One place in one file of the service that is changed. */
export interface Edit {
  /** Relative to the project. */
  file: string;
  find: string;
  replace: string;
}

/** A bug that is planted on purpose, to see whether the simulation finds it. */
export interface PlantedBug {
  name: string;
  edits: Edit[];
}

/** The names under which a sandbox hands its own globals to the bundled functions. */
export const injectedNames = [
  ...['globalThis', 'global', 'process', 'console', 'crypto', 'performance'],
  ...['Date', 'Math', 'AbortSignal', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  ...['setImmediate', 'clearImmediate', '__builtin', '__send'],
] as const;

const entry = `export const load = {
  aggregator: () => import('./functions/aggregate-clicks.ts'),
  resolver: () => import('./functions/resolve-link.ts'),
  creator: () => import('./functions/create-link.ts'),
  reader: () => import('./functions/get-link-stats.ts'),
};`;

/**
 * Bundles all functions of the service into one script: an expression that is a function of the
 * injected names. Each call of it is a fresh module graph, compiled once for all instances.
 *
 * @throws Error where an edit does not fit the source.
 */
export async function buildFunctionCode(edits: readonly Edit[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: projectDir, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias: { semver: './lib/telemetry/no-semver.ts' },
    absWorkingDir: projectDir,
    plugins: [injectBuiltins, interceptRequests, applyEdits(edits)],
  });
  const text = outputFiles[0]?.text ?? '';
  const body = text.replace(/export \{\s*load\s*\};/, 'return load;');
  return `(function (${injectedNames.join(', ')}) {'use strict';\n${body}\n})`;
}

// The sandbox decides what Node's own modules do.
const injectBuiltins: Plugin = {
  name: 'inject-builtins',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path: specifier }) => {
      const name = specifier.replace(/^node:/, '');
      return builtinModules.includes(name) ? { path: name, namespace: 'builtin' } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => ({
      contents: `module.exports = __builtin(${JSON.stringify(name)})`,
    }));
  },
};

// Requests leave the SDK where it would open a socket, and unsigned, since nobody checks them here.
const interceptRequests: Plugin = {
  name: 'intercept-requests',
  setup(build) {
    build.onLoad({ filter: /dist-es[\\/](.*[\\/])?SignatureV4\.js$/ }, async ({ path: file }) => ({
      contents: `${await readFile(file, 'utf8')}
        SignatureV4.prototype.sign = async (request) => request;`,
    }));
    build.onLoad({ filter: /dist-es[\\/]node-http-handler\.js$/ }, async ({ path: file }) => ({
      contents: `${await readFile(file, 'utf8')}
        NodeHttpHandler.prototype.handle = async function (request, options = {}) {
          return __send(request, { ...(await this.configProvider), ...options });
        };`,
    }));
  },
};

function applyEdits(edits: readonly Edit[]): Plugin {
  const files = Map.groupBy(edits, ({ file }) => path.resolve(projectDir, file));
  return {
    name: 'apply-edits',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        const own = files.get(file);
        if (!own) return undefined;
        return { contents: own.reduce(applyEdit, await readFile(file, 'utf8')), loader: 'ts' };
      });
    },
  };
}

function applyEdit(source: string, { file, find, replace }: Edit): string {
  const [before, after, ...others] = source.split(find);
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error(`expected ${file} to contain this text once, to change it there: ${find}`);
  }
  return before + replace + after;
}
