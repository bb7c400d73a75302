import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { projectDir } from '../../local/engines/serverless.ts';
import { bundleAliases } from '../tools/bundle-aliases.ts';
import type { AnyRole, OrderRole, Role } from './instance.ts';

/** A module that takes the place of a file of the service, and may import that file itself. */
export interface StandIn {
  /** Relative to the project. */
  file: string;
  contents: string;
}

/** The names under which a sandbox hands its own globals to the bundled functions. */
export const injectedNames = [
  ...['globalThis', 'global', 'process', 'console', 'crypto', 'performance'],
  ...['Date', 'Math', 'AbortSignal', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  ...['setImmediate', 'clearImmediate', '__builtin', '__send', '__shared', '__broken'],
] as const;

/** What can be simulated: click-tally itself, or its persistence layer in packages/powertools-idempotency-transactional/examples/orders. */
export const services = ['clicks', 'orders'] as const;
export type Service = (typeof services)[number];

/**
 * What else can be deployed behind the same queue, to compare: the hand-rolled aggregator, and one
 * that an engineer writes from Powertools' documentation. Nobody simulates worlds of them.
 */
export type OtherAggregator = 'hand-rolled' | 'stock';

const clickFiles: Record<Role, string> = {
  aggregator: 'functions/aggregate-clicks.ts',
  resolver: 'functions/resolve-link.ts',
  creator: 'functions/create-link.ts',
  reader: 'functions/get-link-stats.ts',
  pusher: 'functions/push-counts.ts',
};

const orderFiles: Record<OrderRole, string> = {
  booker: 'packages/powertools-idempotency-transactional/examples/orders/book-orders.ts',
  clerk: 'packages/powertools-idempotency-transactional/examples/orders/create-order.ts',
};

const files: Record<Service | OtherAggregator, Partial<Record<AnyRole, string>>> = {
  clicks: clickFiles,
  orders: orderFiles,
  'hand-rolled': { aggregator: 'functions/aggregate-clicks-hand-rolled.ts' },
  stock: { aggregator: 'proofs/simulation/stock-aggregator.ts' },
};

/**
 * The SDK's serialisers of DynamoDB's JSON, which keep no state. V8 cannot optimise classes that
 * every instance makes anew; these took a sixth of a world's time, so a thread makes them once.
 */
const codecFiles = [
  '@smithy/core/dist-es/submodules/schema/schemas/NormalizedSchema.js',
  '@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonShapeSerializer2.js',
  '@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonShapeDeserializer2.js',
  '@aws-sdk/dynamodb-codec/dist-es/codec-v2/DynamoDBJsonCodec2.js',
].map((file) => realpathSync(path.join(projectDir, 'node_modules', file)));

/** Packages that keep no state, but much to evaluate, which V8 would compile for each instance. */
const statelessPackages = ['zod/mini', 'isbot', 'bowser'];

/** Scripts; each is an expression, an asynchronous function of the injected names. */
export interface FunctionSource {
  /** Each call evaluates a fresh module graph and returns its exports, with the handler. */
  functions: Partial<Record<AnyRole, string>>;
  /** A call returns the modules that the instances of a thread share, by file or package. */
  shared: string;
}

/**
 * Bundles the functions of a service into scripts that are compiled once for all instances.
 *
 * @throws Error for a stand-in whose file is in none of the functions.
 */
export async function buildFunctionCode(
  standIns: readonly StandIn[] = [],
  sharedModules?: readonly string[],
  service: Service | OtherAggregator = 'clicks',
): Promise<FunctionSource> {
  const modules = sharedModules ?? sharedModulesOf(service);
  const imports = modules.map((name, i) => `import * as shared${i} from ${JSON.stringify(name)};`);
  const entries = modules.map((name, i) => `${JSON.stringify(name)}: shared${i}`);
  const sharedEntry = `${imports.join('\n')}\nexport const modules = { ${entries.join(', ')} };`;
  const unused = new Set(standIns);
  const bundleFunction = async (file: string) => {
    const entry = `export { handler } from './${file}';`;
    const plugins = [useShared(modules), interceptRequests];
    const sound = await bundleOnce(entry, plugins, modules);
    const own = standIns.filter((standIn) => sound.inputs.has(standIn.file));
    for (const standIn of own) unused.delete(standIn);
    if (own.length === 0) return sound.script;
    return (await bundle(entry, [...plugins, useStandIns(own)])).script;
  };
  const [functions, shared] = await Promise.all([
    Promise.all(
      Object.entries(files[service]).map(async ([role, file]) => [
        role,
        await bundleFunction(file),
      ]),
    ),
    bundleOnce(sharedEntry, [], []),
  ]);
  for (const { file } of unused) throw new Error(`expected a function to import ${file}`);
  return { functions: Object.fromEntries(functions), shared: shared.script };
}

// Other aggregators let the serialisers mint tokens, which is a state of an instance.
function sharedModulesOf(service: Service | OtherAggregator): readonly string[] {
  const mintsTokens = !services.some((name) => name === service);
  return mintsTokens ? statelessPackages : [...codecFiles, ...statelessPackages];
}

interface Bundle {
  script: string;
  /** The files of which something is in it, relative to the project. */
  inputs: ReadonlySet<string>;
}

/** A planted bug is in one function or two, and the others' bundles are the same for all bugs. */
const bundles = new Map<string, Promise<Bundle>>();

function bundleOnce(
  contents: string,
  plugins: Plugin[],
  sharedModules: readonly string[],
): Promise<Bundle> {
  const key = JSON.stringify([contents, sharedModules]);
  const made = bundles.get(key) ?? bundle(contents, plugins);
  bundles.set(key, made);
  return made;
}

async function bundle(contents: string, plugins: Plugin[]): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: projectDir, loader: 'ts' },
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
    plugins: [injectBuiltins, ...plugins],
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

function useShared(modules: readonly string[]): Plugin {
  return {
    name: 'use-shared',
    setup(build) {
      build.onResolve({ filter: /^\w/ }, ({ path: specifier }) =>
        modules.includes(specifier) ? { path: specifier, namespace: 'shared' } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'shared' }, async ({ path: specifier }) => ({
        contents: exportShared(specifier, Object.keys(await import(specifier))),
      }));
      build.onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path: file }) =>
        modules.includes(file)
          ? { contents: `module.exports = __shared[${JSON.stringify(file)}]` }
          : undefined,
      );
    },
  };
}

// As an ES module: of a CommonJS one, every import would copy each export.
function exportShared(specifier: string, names: string[]): string {
  const exports = names.map(
    (name, index) => `const v${index} = shared.${name}; export { v${index} as ${name} };`,
  );
  return [`const shared = __shared[${JSON.stringify(specifier)}];`, ...exports].join('\n');
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

function useStandIns(standIns: readonly StandIn[]): Plugin {
  const contents = new Map(
    standIns.map(({ file, contents }) => [path.resolve(projectDir, file), contents]),
  );
  return {
    name: 'use-stand-ins',
    setup(build) {
      build.onResolve({ filter: /^\..*\.ts$/ }, ({ path: specifier, resolveDir, importer }) => {
        const file = path.resolve(resolveDir, specifier);
        if (!contents.has(file) || importer === file) return undefined;
        return { path: file, namespace: 'stand-in' };
      });
      build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path: file }) => ({
        contents: contents.get(file),
        loader: 'ts',
        resolveDir: path.dirname(file),
      }));
    },
  };
}
