import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { type Kind, writeProject } from '../consumers/project.ts';
import { packageDir } from './examples.ts';

const run = promisify(execFile);
const modulesDir = path.join(projectDir, 'node_modules');

/** The folders of what npm would fetch from a registry, which a test can't count on: a package's dependencies. */
function findDependencies(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const own = Object.keys(dependencies).map((name) => path.join(modulesDir, name));
  return [...new Set([...own, ...own.flatMap(findDependencies)])];
}

/** Builds the package into a folder, as `npm run build` does. */
export async function buildPackage(folder: string, variables: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...variables };
  await run(process.execPath, [path.join(packageDir, 'scripts/build.ts'), folder], { env });
}

/** Runs npm in a folder, without a registry, and reads the JSON that it prints last. */
export async function readNpm(folder: string, ...args: string[]) {
  const { stdout } = await run('npm', [...args, '--json', '--offline'], { cwd: folder });
  return JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
}

/**
 * Installs a tarball into an empty project, as npm does. Its peers come from this project, by a link
 * one folder up, so npm must not look for them. Returns the folder of the new project.
 */
export async function installPackage(dir: string, tarball: string, kind: Kind): Promise<string> {
  const app = path.join(dir, kind);
  await writeProject(app, kind);
  const deliver = await readFile(path.join(import.meta.dirname, 'deliver.ts'), 'utf8');
  await writeFile(path.join(app, 'deliver.js'), stripTypeScriptTypes(deliver));
  const packed = path.join(app, 'packed');
  await mkdir(packed);
  const quietly = ['--ignore-scripts', '--cache', path.join(dir, 'cache')];
  await run('npm', [
    'pack',
    ...findDependencies(packageDir),
    '--pack-destination',
    packed,
    ...quietly,
  ]);
  const tarballs = (await readdir(packed)).map((name) => path.join(packed, name));
  const offline = ['--offline', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  await run('npm', ['install', tarball, ...tarballs, ...offline, ...quietly], { cwd: app });
  return app;
}

/** Writes an example into a project as plain JavaScript. */
export async function writeJavaScript(app: string, text: string): Promise<string> {
  const file = path.join(app, `${randomUUID()}.js`);
  await writeFile(file, stripTypeScriptTypes(text));
  return file;
}

/** Checks examples in a project as strictly as TypeScript can. Returns what it complains about. */
export async function checkTypes(app: string, examples: Map<string, string>): Promise<string> {
  for (const [name, text] of examples) await writeFile(path.join(app, name), text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    noEmit: true,
  };
  const config = JSON.stringify({ compilerOptions, files: [...examples.keys()] });
  await writeFile(path.join(app, 'tsconfig.json'), config);
  const tsc = path.join(modulesDir, 'typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '--project', app]).catch((error) => error);
  // Powertools imports this package, whose own declarations don't pass.
  return stdout.replaceAll(/^\S*@aws\/durable-execution-sdk-js\/.*\n(?: .*\n)*/gm, '');
}
