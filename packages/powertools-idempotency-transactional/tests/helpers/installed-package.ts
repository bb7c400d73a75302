import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { readDeliver } from './examples.ts';

const run = promisify(execFile);
const modulesDir = path.join(projectDir, 'node_modules');

/** What npm would fetch from a registry, which a test cannot count on: the package's dependencies. */
const dependencies = ['dataloader', 'p-limit', 'yocto-queue'];

/**
 * Installs a tarball into an empty project, as npm does. Its peers come from this project, by a link
 * one folder up, so npm must not look for them. Returns the folder of the new project.
 */
export async function installPackage(dir: string, tarball: string): Promise<string> {
  const app = path.join(dir, 'app');
  const packed = path.join(dir, 'packed');
  await mkdir(app);
  await mkdir(packed);
  await symlink(modulesDir, path.join(dir, 'node_modules'));
  await writeFile(path.join(app, 'package.json'), '{ "private": true, "type": "module" }');
  const folders = dependencies.map((name) => path.join(modulesDir, name));
  const quietly = ['--ignore-scripts', '--cache', path.join(dir, 'cache')];
  await run('npm', ['pack', ...folders, '--pack-destination', packed, ...quietly]);
  const tarballs = (await readdir(packed)).map((name) => path.join(packed, name));
  const offline = ['--offline', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  await run('npm', ['install', tarball, ...tarballs, ...offline, ...quietly], { cwd: app });
  return app;
}

/** Writes an example into a project as plain JavaScript. */
export async function writeJavaScript(app: string, text: string): Promise<string> {
  const file = path.join(app, 'example.js');
  await writeFile(file, stripTypeScriptTypes(text));
  await writeFile(path.join(app, 'deliver.js'), stripTypeScriptTypes(await readDeliver()));
  return file;
}

/** Checks an example in a project as strictly as TypeScript can. Returns what it complains about. */
export async function checkTypes(app: string, text: string): Promise<string> {
  await writeFile(path.join(app, 'typed.ts'), text);
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
  const config = JSON.stringify({ compilerOptions, files: ['typed.ts'] });
  await writeFile(path.join(app, 'tsconfig.json'), config);
  const tsc = path.join(modulesDir, 'typescript/bin/tsc');
  return run(process.execPath, [tsc, '--project', app]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

/** The machine's own Node beside the one that the tests run on, if there is one. */
export function findOtherNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, 'node'))
    .find((node) => existsSync(node) && realpathSync(node) !== realpathSync(process.execPath));
}
