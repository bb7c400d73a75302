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
 * one archive per function to `outDir`. Returns the framework's output.
 * @throws {CommandError} with the framework's output if serverless.yml or a function does not build.
 */
export async function packageService(options: {
  stage: string;
  outDir: string;
  params?: ServiceParams;
}): Promise<string> {
  const outDir = path.resolve(options.outDir);
  const args = ['package', '--stage', options.stage, '--package', outDir];
  const child = await startServerless([...args, ...paramArgs(options.params)]);
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
  options: Pick<ChildOptions, 'env' | 'onOutput'> = {},
): Promise<RunningChild> {
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-service-')));
  const scratchDir = await linkService(dir.path);
  const child = startChild(process.execPath, [serverless, ...args], {
    ...options,
    cwd: dir.path,
    resource: dir,
    // The framework leaves files behind in TMPDIR.
    env: { ...(options.env ?? process.env), TMPDIR: scratchDir },
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

/** Links the service into `dir`, and returns an empty directory there for temporary files. */
async function linkService(dir: string): Promise<string> {
  const entries = (await readdir(projectDir)).filter((name) => !name.startsWith('.'));
  for (const name of entries) {
    const [from, to] = [path.join(projectDir, name), path.join(dir, name)];
    // The framework rejects a service file that is a link.
    await (name === serviceFile ? copyFile(from, to) : symlink(from, to));
  }
  const scratchDir = path.join(dir, '.tmp');
  await mkdir(scratchDir);
  return scratchDir;
}
