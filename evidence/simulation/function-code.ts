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
  ...['setImmediate', 'clearImmediate', '__builtin', '__send', '__shared'],
] as const;

const entry = `export const load = {
  aggregator: () => import('./functions/aggregate-clicks.ts'),
  resolver: () => import('./functions/resolve-link.ts'),
  creator: () => import('./functions/create-link.ts'),
  reader: () => import('./functions/get-link-stats.ts'),
};`;

/**
 * The SDK's serialisers of DynamoDB's JSON: classes over the values that they are given. A class
 * made anew for each instance would keep V8 from optimising them, and they are a sixth of a world's
 * time, so a thread has them once.
 */
const codecFiles = [
  '@smithy/core/dist-es/submodules/schema/schemas/NormalizedSchema.js',
  '@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonShapeSerializer2.js',
  '@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonShapeDeserializer2.js',
  '@aws-sdk/dynamodb-codec/dist-es/codec-v2/DynamoDBJsonCodec2.js',
].map((file) => path.join(projectDir, 'node_modules', file));

/** Two scripts; each is an expression, a function of the injected names. */
export interface FunctionSource {
  /** Each call is a fresh module graph of all functions. */
  functions: string;
  /** A call returns the modules that the instances of a thread share, by file. */
  shared: string;
}

/**
 * Bundles the functions of the service into scripts that are compiled once for all instances.
 *
 * @throws Error where an edit does not fit the source.
 */
export async function buildFunctionCode(
  edits: readonly Edit[] = [],
  sharedFiles: readonly string[] = codecFiles,
): Promise<FunctionSource> {
  const list = sharedFiles.map((file) => JSON.stringify(file));
  const imports = list.map((file, index) => `import * as shared${index} from ${file};`);
  const entries = list.map((file, index) => `${file}: shared${index}`);
  const sharedEntry = `${imports.join('\n')}\nexport const load = { ${entries.join(', ')} };`;
  const [functions, shared] = await Promise.all([
    bundle(entry, [useShared(sharedFiles), interceptRequests, applyEdits(edits)]),
    bundle(sharedEntry, []),
  ]);
  return { functions, shared };
}

async function bundle(contents: string, plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: projectDir, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias: { semver: './lib/telemetry/no-semver.ts' },
    absWorkingDir: projectDir,
    plugins: [injectBuiltins, ...plugins],
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

function useShared(files: readonly string[]): Plugin {
  return {
    name: 'use-shared',
    setup(build) {
      build.onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path: file }) =>
        files.includes(file)
          ? { contents: `module.exports = __shared[${JSON.stringify(file)}]` }
          : undefined,
      );
    },
  };
}

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
