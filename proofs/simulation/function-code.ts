import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { projectDir } from '../../local/engines/serverless.ts';
import { bundleAliases } from '../tools/bundle-aliases.ts';
import type { Role } from './instance.ts';

/** A change of the service's code, which plants a bug. */
export interface Change {
  /** Relative to the project. */
  file: string;
  /** A text that is in the file once, and what there is instead. */
  from: string;
  to: string;
}

/** The names of the sandbox's globals in the bundled functions. */
export const injectedNames = [
  ...['globalThis', 'global', 'process', 'console', 'crypto', 'performance'],
  ...['Date', 'Math', 'AbortSignal', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  ...['setImmediate', 'clearImmediate', '__builtin', '__send'],
] as const;

const files: Record<Role, string> = {
  aggregator: 'functions/aggregate-clicks.ts',
  resolver: 'functions/resolve-link.ts',
  creator: 'functions/create-link.ts',
};

/**
 * Each function's script: an expression for an async function of the injected names. Each call evaluates
 * a fresh module graph and returns its exports, including the handler.
 */
export type FunctionSource = Record<Role, string>;

/**
 * Bundles the functions into scripts that are compiled once for all instances.
 *
 * @throws Error for a change whose file isn't in any function, or whose text isn't in the file once.
 */
export async function buildFunctionCode(changes: readonly Change[] = []): Promise<FunctionSource> {
  const unused = new Set(changes);
  const bundleFunction = async (file: string) => {
    const sound = await bundleOnce(file);
    const own = changes.filter((change) => sound.inputs.has(change.file));
    for (const change of own) unused.delete(change);
    return own.length === 0 ? sound.script : (await bundle(file, [applyChanges(own)])).script;
  };
  const functions = await Promise.all(
    Object.entries(files).map(async ([role, file]) => [role, await bundleFunction(file)]),
  );
  for (const { file } of unused) throw new Error(`expected a function to import ${file}`);
  return Object.fromEntries(functions);
}

interface Bundle {
  script: string;
  /** The bundled files, relative to the project. */
  inputs: ReadonlySet<string>;
}

/** A planted bug is in one or two functions. The others' bundles are shared. */
const bundles = new Map<string, Promise<Bundle>>();

function bundleOnce(file: string): Promise<Bundle> {
  const made = bundles.get(file) ?? bundle(file, []);
  bundles.set(file, made);
  return made;
}

async function bundle(file: string, plugins: Plugin[]): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { handler } from './${file}';`,
      resolveDir: projectDir,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    metafile: true,
    legalComments: 'none',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias: bundleAliases,
    absWorkingDir: projectDir,
    plugins: [injectBuiltins, interceptRequests, ...plugins],
  });
  const text = outputFiles[0]?.text ?? '';
  const body = text.replace(/export (\{[\w\s,]*\};\s*)$/, (_, exports: string) => {
    return `return ${exports.replaceAll(/(\w+) as (\w+)/g, '$2: $1')}`;
  });
  const script = `(async function (${injectedNames.join(', ')}) {'use strict';\n${body}\n})`;
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { script, inputs: new Set(used.map(([file]) => file)) };
}

// The sandbox provides Node's modules.
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

// Requests leave the SDK where it would open a socket. They are unsigned, because nothing checks them.
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

function applyChanges(changes: readonly Change[]): Plugin {
  return {
    name: 'apply-changes',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        let contents = await readFile(file, 'utf8');
        for (const { from, to, file: changed } of changes) {
          if (path.resolve(projectDir, changed) !== file) continue;
          const parts = contents.split(from);
          if (parts.length !== 2) throw new Error(`expected ${changed} to have once: ${from}`);
          contents = parts.join(to);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}
