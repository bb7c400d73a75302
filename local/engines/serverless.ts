import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ChildOptions, type RunningChild, startChild } from './child-process.ts';

export const projectDir = path.resolve(import.meta.dirname, '../..');
const serviceFile = 'serverless.yml';
const serverless = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');

/** Values for the params of serverless.yml. */
export type ServiceParams = Record<string, string | number>;

/**
 * Runs `serverless package`, which needs no credentials, and leaves the CloudFormation template and
 * one archive per function in `outDir`. Returns what the framework said.
 * @throws Error with the framework's own words when serverless.yml or a function does not build.
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
  if (code !== 0) throw new Error(`The service cannot be packaged:\n${readOutput(child)}`);
  return child.output();
}

/**
 * Starts the Serverless Framework in a directory that shows the service by links. It builds in its
 * working directory and clears it, so a test run would pull the code from under a running stack if
 * they shared one. The directory goes when the framework ends.
 */
export async function startServerless(
  args: string[],
  options: Pick<ChildOptions, 'env' | 'onOutput'> = {},
): Promise<RunningChild> {
  const { dir, scratchDir } = await linkServiceDir();
  try {
    return startChild(process.execPath, [serverless, ...args], {
      ...options,
      cwd: dir,
      temporaryDir: dir,
      // The framework leaves files behind there.
      env: { ...(options.env ?? process.env), TMPDIR: scratchDir },
    });
  } catch (error) {
    await rm(dir, { recursive: true });
    throw error;
  }
}

/** What the framework said of the service, without its own insides. */
export function readOutput(child: RunningChild): string {
  const insides = /^\s+at |^(Environment|Docs):|^Error:$/;
  const lines = child.output().split('\n');
  return lines
    .filter((line) => !insides.test(line))
    .join('\n')
    .trim();
}

/** The params as options of the framework's command line. */
export function paramArgs(params: ServiceParams = {}): string[] {
  return Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
}

async function linkServiceDir(): Promise<{ dir: string; scratchDir: string }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'click-tally-service-'));
  const entries = (await readdir(projectDir)).filter((name) => !name.startsWith('.'));
  for (const name of entries) {
    const [from, to] = [path.join(projectDir, name), path.join(dir, name)];
    // The framework refuses a service file that is a link.
    await (name === serviceFile ? copyFile(from, to) : symlink(from, to));
  }
  const scratchDir = path.join(dir, '.tmp');
  await mkdir(scratchDir);
  return { dir, scratchDir };
}
