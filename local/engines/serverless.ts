import { copyFile, mkdir, mkdtempDisposable, readdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../terminal/command-error.ts';
import { type ChildOptions, type RunningChild, startChild } from './child-process.ts';

export const projectDir = path.resolve(import.meta.dirname, '../..');
const serviceFile = 'serverless.yml';
const serverless = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');

/** Values for the `params` of serverless.yml. */
export type ServiceParams = Record<string, string | number>;

/**
 * Runs `serverless package`, which needs no credentials. It writes the CloudFormation template and
 * one archive per function to `outDir`. Returns the framework's output. `serviceDir` is the folder
 * of another service than click-tally itself, relative to the project.
 * @throws {CommandError} with the framework's output if serverless.yml or a function does not build.
 */
export async function packageService(options: {
  stage: string;
  outDir: string;
  params?: ServiceParams;
  serviceDir?: string;
}): Promise<string> {
  const outDir = path.resolve(options.outDir);
  const args = ['package', '--stage', options.stage, '--package', outDir];
  const { serviceDir } = options;
  const child = await startServerless([...args, ...paramArgs(options.params)], { serviceDir });
  const code = await child.exited;
  if (code !== 0) {
    throw new CommandError(`Cannot package the service:\n${readOutput(child)}`);
  }
  return child.output();
}

/**
 * Starts the Serverless Framework in a temporary directory of links to the service. The framework
 * builds in its working directory and clears it, so if they shared one, a test run would delete
 * the code of a running stack. The directory is removed when the framework ends.
 */
export async function startServerless(
  args: string[],
  options: Pick<ChildOptions, 'env' | 'onOutput'> & { serviceDir?: string } = {},
): Promise<RunningChild> {
  const { serviceDir = '', ...childOptions } = options;
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-service-')));
  const scratchDir = await linkService(dir.path, serviceDir);
  const child = startChild(process.execPath, [serverless, ...args], {
    ...childOptions,
    cwd: path.join(dir.path, serviceDir),
    resource: dir,
    // The framework leaves files behind in TMPDIR.
    env: { ...(childOptions.env ?? process.env), TMPDIR: scratchDir },
  });
  cleanup.move();
  return child;
}

/** The framework's output, without stack traces and notes about its environment. */
export function readOutput(child: RunningChild): string {
  const noise = /^\s+at |^(Environment|Docs):|^Error:$/;
  const lines = child.output().split('\n');
  return lines
    .filter((line) => !noise.test(line))
    .join('\n')
    .trim();
}

/** Formats params as command-line options of the framework. */
export function paramArgs(params: ServiceParams = {}): string[] {
  return Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
}

/** Links the project into `dir`, and returns an empty directory there for temporary files. */
async function linkService(dir: string, serviceDir: string): Promise<string> {
  const [ownFolder] = serviceDir.split('/');
  await linkEntries(projectDir, dir, (name) => name !== ownFolder);
  if (serviceDir) {
    await linkEntries(path.join(projectDir, serviceDir), path.join(dir, serviceDir), () => true);
  }
  const scratchDir = path.join(dir, '.tmp');
  await mkdir(scratchDir);
  return scratchDir;
}

async function linkEntries(
  fromDir: string,
  toDir: string,
  isWanted: (name: string) => boolean,
): Promise<void> {
  await mkdir(toDir, { recursive: true });
  const entries = (await readdir(fromDir)).filter((name) => !name.startsWith('.'));
  for (const name of entries.filter(isWanted)) {
    const [from, to] = [path.join(fromDir, name), path.join(toDir, name)];
    // The framework rejects a service file that is a link.
    await (name === serviceFile ? copyFile(from, to) : symlink(from, to));
  }
}
