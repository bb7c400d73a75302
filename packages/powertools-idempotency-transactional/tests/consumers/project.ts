import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { localEnvironment } from '../../../../loopback/local-aws.ts';
import { packageDir, readPage } from '../helpers/examples.ts';

/** The kind of modules that a project has. */
export type Kind = 'esm' | 'cjs';

/** Runs a program of a project. Its output goes into the error if it fails. */
export type Run = (command: string, ...args: string[]) => Promise<string>;

export const runIn =
  (cwd: string, variables: NodeJS.ProcessEnv = {}): Run =>
  async (command, ...args) => {
    // The commands of the project's packages, or of a project around it.
    const bins = ['.', '..'].map((folder) => path.join(cwd, folder, 'node_modules/.bin'));
    const PATH = [...bins, process.env.PATH].join(path.delimiter);
    const own = { PATH, npm_config_legacy_peer_deps: undefined };
    const env = { ...localEnvironment(), ...own, ...variables };
    try {
      return (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 1e8 })).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      const reason = `${path.basename(command)} ${args.join(' ')}: ${stdout}${stderr}`;
      throw new Error(reason, { cause: error });
    }
  };

/** Builds and packs the package in a folder. Returns the tarball. */
export async function packInto(folder: string, ...options: string[]): Promise<string> {
  const built = path.join(folder, 'built');
  await runIn(packageDir)(process.execPath, 'scripts/build.ts', built);
  return path.join(folder, (await runIn(folder)('npm', 'pack', built, ...options)).trim());
}

/** Writes the project's manifest and the program that checks the package. */
export async function writeProject(app: string, kind: Kind): Promise<void> {
  await mkdir(app, { recursive: true });
  const manifest = { name: 'app', version: '1.0.0', ...(kind === 'esm' && { type: 'module' }) };
  await writeFile(path.join(app, 'package.json'), JSON.stringify(manifest));
  await copyFile(path.join(import.meta.dirname, 'check.ts'), path.join(app, 'check.ts'));
}

const modules = { nodenext: 'nodenext', bundler: 'esnext', node10: 'commonjs' };
export type Resolution = keyof typeof modules;

/** Compiles the program with TypeScript's settings for this way to find modules. */
export async function compileCheck(
  app: string,
  resolution: Resolution,
  tsc: () => Promise<string>,
) {
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    types: ['node'],
    skipLibCheck: true,
    module: modules[resolution],
    moduleResolution: resolution,
  };
  const settings = JSON.stringify({ compilerOptions, files: ['check.ts'] });
  await writeFile(path.join(app, 'tsconfig.json'), settings);
  await rm(path.join(app, 'check.js'), { force: true });
  await tsc();
}

/** The packages of the README's two install lines. The first one's first is the tarball. */
export function readInstallLines(): { needed: string[]; development: string[] } {
  const read = (line: RegExp) => line.exec(readPage('README.md'))?.[1]?.split(' ') ?? [];
  return {
    needed: read(/^npm install \S+\.tgz (.+)$/m),
    development: read(/^npm install --save-dev (.+)$/m),
  };
}

// Dependencies in CommonJS call require(), which an ES module lacks.
const banner =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bundles a program with its packages, but for those that Lambda's runtime has. */
export async function bundle(
  run: Run,
  entry: string,
  outfile: string,
  kind: Kind,
  leftToRuntime: readonly string[] = [],
): Promise<void> {
  const options = ['--bundle', '--platform=node', `--format=${kind}`, `--outfile=${outfile}`];
  options.push('--metafile=bundle.json', ...leftToRuntime.map((name) => `--external:${name}`));
  if (kind === 'esm') options.push(`--banner:js=${banner}`);
  await run('esbuild', entry, ...options);
}

/** Bundles the compiled program, and returns the bundle's name. */
export async function bundleCheck(run: Run, kind: Kind, leftToRuntime?: readonly string[]) {
  const outfile = `bundle.${kind === 'esm' ? 'mjs' : 'cjs'}`;
  await bundle(run, './check.js', outfile, kind, leftToRuntime);
  return outfile;
}

/**
 * The supported versions of Node: those of Lambda's runtimes, from the first release on. In 20.0 and 22.0, `require`
 * can't load an ES module.
 */
export const nodes = ['20.0.0', '22.0.0', '24'];

/** The version of Node that runs this, if it's one of them. */
const [ownVersion] = process.versions.node.split('.');

/** Installs the other versions of Node, and other tools, into a folder of their own. */
export async function installTools(folder: string, ...tools: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{}');
  const nodePackage = `node-${process.platform}-${process.arch}`;
  const versions = nodes
    .filter((version) => version !== ownVersion)
    .map((version) => `node-${version}@npm:${nodePackage}@${version}`);
  await runIn(folder)('npm', 'install', ...versions, ...tools);
}

/** The program of a version of Node. */
export const findNode = (folder: string, version: string) =>
  version === ownVersion
    ? process.execPath
    : path.join(folder, 'node_modules', `node-${version}`, 'bin/node');

/** The checks that don't hold in what the program printed. */
export function findFailures(printed: string, leastChecks = 12): string[] {
  const checks = Object.entries(
    JSON.parse(printed.slice(printed.indexOf('{"')).split('\n')[0] ?? ''),
  );
  if (checks.length < leastChecks)
    throw new Error(`expected ${leastChecks} checks; got ${printed}`);
  return checks.filter(([, holds]) => holds !== true).map(([name]) => name);
}

/** Prints what failed. The process's exit code says whether anything did. */
export async function report(name: string, failing: Promise<string[]>): Promise<void> {
  const failures = await failing.catch((error: Error) => [error.message.slice(0, 3_000)]);
  console.log([`${failures.length === 0 ? 'ok' : 'FAILED'}  ${name}`, ...failures].join('\n'));
  if (failures.length > 0) process.exitCode = 1;
}
