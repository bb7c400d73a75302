import {
  copyFile,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { type ChildOptions, type RunningChild, startChild } from './child-process.ts';

export const projectDir = path.resolve(import.meta.dirname, '../..');
const serviceFiles = ['serverless.yml', 'standby.yml'];
const serverless = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');

/** Values for the `params` of serverless.yml. */
export type ServiceParams = Record<string, string | number>;

interface Service {
  /** The folder of a service other than click-tally, relative to the project. */
  serviceDir?: string;
  /** The service's file; by default serverless.yml. */
  serviceFile?: string;
  /** Whether the framework gets an empty archive instead of click-tally's functions. */
  isEmpty?: boolean;
}

interface PackageOptions extends Service {
  stage: string;
  outDir: string;
  params?: ServiceParams;
}

/**
 * Runs `serverless package`, which doesn't need credentials. It writes the CloudFormation template
 * and one archive per function to `outDir`. Returns the framework's output. Bundling takes most of
 * the time, so with `isEmpty` it's faster, and there is only the template.
 * @throws {CommandError} with the framework's output if serverless.yml or a function doesn't build.
 */
export async function packageService({
  stage,
  outDir,
  params,
  ...service
}: PackageOptions): Promise<string> {
  const args = ['package', '--stage', stage, '--package', path.resolve(outDir)];
  const child = await startServerless([...args, ...paramArgs(params)], service);
  const code = await child.exited;
  if (code !== 0) {
    throw new CommandError(`Cannot package the service:\n${readOutput(child)}`);
  }
  return child.output();
}

/**
 * Starts the Serverless Framework in a temporary directory with symlinks to the service. The
 * framework clears its working directory and builds there, so in a shared directory, a test run
 * would delete the code of a running stack. The directory is removed when the framework ends.
 */
export async function startServerless(
  args: string[],
  options: Pick<ChildOptions, 'env' | 'onOutput'> & Service = {},
): Promise<RunningChild> {
  const {
    serviceDir = '',
    serviceFile = 'serverless.yml',
    isEmpty = false,
    ...childOptions
  } = options;
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-service-')));
  const scratchDir = await linkService(dir.path, { serviceDir, serviceFile, isEmpty });
  const command = [...cacheCompiledCode(), serverless, ...args, '--config', serviceFile];
  const child = startChild(process.execPath, command, {
    ...childOptions,
    cwd: path.join(dir.path, serviceDir),
    resource: dir,
    // The framework leaves files behind in TMPDIR.
    env: { ...(childOptions.env ?? process.env), TMPDIR: scratchDir },
  });
  cleanup.move();
  return child;
}

/**
 * Options with which functions use NODE_COMPILE_CACHE. They run in threads, which don't get the
 * environment of their process, but its options.
 */
function cacheCompiledCode(): string[] {
  const { NODE_COMPILE_CACHE: dir } = process.env;
  if (!dir) return [];
  const code = `import { enableCompileCache } from 'node:module'; enableCompileCache(${JSON.stringify(dir)});`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
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
async function linkService(
  dir: string,
  { serviceDir, serviceFile, isEmpty }: Required<Service>,
): Promise<string> {
  const [ownFolder = ''] = serviceDir.split('/');
  await linkEntries(projectDir, dir, ownFolder);
  if (serviceDir) await linkEntries(path.join(projectDir, serviceDir), path.join(dir, serviceDir));
  if (isEmpty) await emptyService(path.join(dir, serviceFile));
  const scratchDir = path.join(dir, '.tmp');
  await mkdir(scratchDir);
  return scratchDir;
}

/** Without the plugins that bundle or run functions, the framework also starts faster. */
async function emptyService(file: string): Promise<void> {
  const service = (await readFile(file, 'utf8'))
    .replaceAll(/^ {2}- serverless-(esbuild|offline)\n/gm, '')
    .replace('individually: true', 'artifact: empty.zip');
  await writeFile(file, service);
  await writeFile(path.join(path.dirname(file), 'empty.zip'), '');
}

async function linkEntries(fromDir: string, toDir: string, except?: string): Promise<void> {
  await mkdir(toDir, { recursive: true });
  const entries = (await readdir(fromDir)).filter((name) => !name.startsWith('.'));
  for (const name of entries) {
    if (name === except) continue;
    const from = path.join(fromDir, name);
    const to = path.join(toDir, name);
    // The framework rejects a service file that is a link.
    await (serviceFiles.includes(name) ? copyFile(from, to) : symlink(from, to));
  }
}
