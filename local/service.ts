import { copyFile, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runChild } from './child-process.ts';

export const PROJECT_DIR = path.dirname(import.meta.dirname);
const SERVICE_FILE = 'serverless.yml';

/** The Serverless Framework's program, to be run with Node. */
export const SERVERLESS_BIN = createRequire(import.meta.url).resolve(
  'serverless/bin/serverless.js',
);

/** Values for the params of serverless.yml. */
export type ServiceParams = Record<string, string | number>;

/**
 * Runs `serverless package`, which needs no credentials, and leaves the CloudFormation template and
 * one archive per function in `outDir`.
 * @throws Error with the framework's own words when serverless.yml or a function does not build.
 */
export async function packageService(options: {
  stage: string;
  outDir: string;
  params?: ServiceParams;
}): Promise<void> {
  const service = await linkServiceDir();
  const args = ['package', '--stage', options.stage, '--package', path.resolve(options.outDir)];
  try {
    await runChild(process.execPath, [SERVERLESS_BIN, ...args, ...paramArgs(options.params)], {
      cwd: service.dir,
    });
  } finally {
    await service.remove();
  }
}

/** The params as options of the Serverless Framework's command line. */
export function paramArgs(params: ServiceParams = {}): string[] {
  return Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
}

/**
 * A directory that shows the service by links. The framework builds in its working directory and
 * clears it, so a test run would pull the code from under a running stack if they shared one.
 */
export async function linkServiceDir(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'click-tally-service-'));
  const entries = (await readdir(PROJECT_DIR)).filter((name) => !name.startsWith('.'));
  for (const name of entries) {
    const [from, to] = [path.join(PROJECT_DIR, name), path.join(dir, name)];
    // The framework refuses a service file that is a link.
    await (name === SERVICE_FILE ? copyFile(from, to) : symlink(from, to));
  }
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}
