import { readFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { projectDir } from '../../local/engines/serverless.ts';
import type { Role } from './instance.ts';

/** The deployment's replacements for parts of packages. */
const alias = createRequire(import.meta.url)('../../infra/bundle-aliases.cjs');

/** A change of the service's code, which plants a bug: an export of a module is replaced by another. */
export interface Change {
  /** The module, relative to the project. */
  file: string;
  /** The export. */
  name: string;
  /** The text of a function that gets the module and returns the export's replacement. */
  make: string;
}

/** The names of the sandbox's globals in the bundled functions. */
export const injectedNames = [
  ...['globalThis', 'global', 'process', 'console', 'crypto', 'performance'],
  ...['Date', 'Math', 'AbortSignal', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  ...['setImmediate', 'clearImmediate', '__builtin', '__send', '__bug'],
] as const;

/** The modules of the handlers. An owner's requests share instances, and only here. */
const modules: Record<Role, string> = {
  aggregator: "export { handler } from './functions/aggregate-clicks.ts';",
  resolver: "export { handler } from './functions/resolve-link.ts';",
  owner: `
    import { handler as create } from './functions/create-link.ts';
    import { handler as changeOrRestore } from './functions/delete-link.ts';
    import { handler as importLinks } from './functions/import-links.ts';
    import { handler as overview } from './functions/get-overview.ts';
    import { handler as list } from './functions/list-links.ts';
    import { handler as keys } from './functions/manage-keys.ts';
    import { handler as update } from './functions/update-link.ts';
    const handlers = {
      'POST /links': create,
      'POST /links/import': importLinks,
      'GET /links': list,
      'GET /links/overview': overview,
      'GET /api/links': list,
      'POST /api/keys': keys,
      'PATCH /links/{code}': update,
    };
    export const handler = (event, context) =>
      (handlers[event.routeKey] ?? changeOrRestore)(event, context);`,
  purger: "export { handler } from './functions/purge-links.ts';",
  replicator: "export { handler } from './functions/replicate-links.ts';",
};

/**
 * Each function's script: an expression for an async function of the injected names. Each call evaluates
 * a fresh module graph and returns its exports, including the handler.
 */
export type FunctionSource = Record<Role, string>;

/** A bug of the functions. The sandbox chooses which of them an instance has, if any. */
interface Bug {
  name: string;
  changes: readonly Change[];
}

/**
 * Bundles the functions into scripts that are compiled once for all instances. One bundle has all bugs,
 * because bundling takes longer than many worlds.
 *
 * @throws Error for a change whose file isn't in any function.
 */
export async function buildFunctionCode(bugs: readonly Bug[] = []): Promise<FunctionSource> {
  const unused = new Set(bugs.flatMap(({ changes }) => changes));
  const { outputFiles } = await build({
    // One build reads each module once for all functions.
    entryPoints: Object.keys(modules).map((role) => ({ in: `function:${role}`, out: role })),
    outdir: projectDir,
    bundle: true,
    write: false,
    legalComments: 'none',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias,
    absWorkingDir: projectDir,
    plugins: [readModules, injectBuiltins, interceptRequests, plantBugs(bugs, unused)],
  });
  for (const { file } of unused) throw new Error(`expected a function to import ${file}`);
  const scripts = outputFiles.map((file) => [path.basename(file.path, '.js'), toScript(file.text)]);
  return Object.fromEntries(scripts);
}

/** Turns a bundle into an expression for a function. */
function toScript(bundle: string): string {
  const body = bundle.replace(/export (\{[\w\s,]*\};\s*)$/, (_, exports: string) => {
    return `return ${exports.replaceAll(/(\w+) as (\w+)/g, '$2: $1')}`;
  });
  return `(async function (${injectedNames.join(', ')}) {'use strict';\n${body}\n})`;
}

const readModules: Plugin = {
  name: 'read-modules',
  setup(build) {
    build.onResolve({ filter: /^function:/ }, ({ path: specifier }) => ({
      path: specifier.slice('function:'.length),
      namespace: 'function',
    }));
    build.onLoad({ filter: /.*/, namespace: 'function' }, ({ path: role }) => ({
      contents: modules[role as Role],
      resolveDir: projectDir,
    }));
  },
};

// The sandbox provides Node's modules.
const injectBuiltins: Plugin = {
  name: 'inject-builtins',
  setup(build) {
    const names = new RegExp(`^(?:node:)?(?:${builtinModules.map(RegExp.escape).join('|')})$`);
    build.onResolve({ filter: names }, ({ path: specifier }) => ({
      path: specifier.replace(/^node:/, ''),
      namespace: 'builtin',
    }));
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => ({
      contents: `module.exports = __builtin(${JSON.stringify(name)})`,
    }));
  },
};

// Requests leave the clients where they would open a socket. They are unsigned, because nothing checks them.
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
    build.onLoad({ filter: /lib[\\/]aws[\\/]http-post\.ts$/ }, () => ({
      contents: `
        export const createPost = (_, requestTimeout) => async (headers, body, abortSignal) => {
          // It only opens a connection.
          if (body === '') return;
          const options = { abortSignal, requestTimeout, throwOnRequestTimeout: true };
          const { response } = await __send({ headers, body }, options);
          return { ...response, status: response.statusCode, body: String(response.body) };
        };`,
    }));
  },
};

const originalSuffix = '?original';

/** A changed module's importers get one that exports the same, except for the changes of the instance's bug. */
function plantBugs(bugs: readonly Bug[], unused: Set<Change>): Plugin {
  return {
    name: 'plant-bugs',
    setup(build) {
      build.onResolve({ filter: /\?original$/ }, ({ path: specifier }) => ({
        path: specifier.slice(0, -originalSuffix.length),
        suffix: originalSuffix,
      }));
      build.onLoad({ filter: /\.ts$/ }, ({ path: file, suffix }) => {
        const ofFile = bugs.flatMap(({ name: bug, changes }) =>
          changes
            .filter((change) => path.resolve(projectDir, change.file) === file)
            .map((change) => ({ bug, change })),
        );
        if (suffix === originalSuffix || ofFile.length === 0) return undefined;
        for (const { change } of ofFile) unused.delete(change);
        const original = JSON.stringify(`${file}${originalSuffix}`);
        const exported = [...Map.groupBy(ofFile, ({ change }) => change.name)];
        const contents = [
          `import * as original from ${original};`,
          `export * from ${original};`,
          ...exported.map(([name, planted]) => {
            const makers = planted.map(
              ({ bug, change }) => `${JSON.stringify(bug)}: ${change.make}`,
            );
            return `export const ${name} = ({ ${makers.join(', ')} })[__bug]?.(original) ?? original.${name};`;
          }),
        ].join('\n');
        return { contents, loader: 'js', resolveDir: path.dirname(file) };
      });
    },
  };
}
