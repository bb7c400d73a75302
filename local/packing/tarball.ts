import { cp, mkdtempDisposable, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../terminal/command-error.ts';
import { startChild } from '../engines/child-process.ts';
import { projectDir } from '../engines/serverless.ts';

const sourceDir = path.join(projectDir, 'lib/idempotency');
const require = createRequire(import.meta.url);
const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');

/**
 * Compiles lib/idempotency to JavaScript and packs it into a folder, as npm publishes it. Returns the
 * path of the tarball.
 *
 * @throws {CommandError} with the compiler's or npm's output.
 */
export async function packIdempotency(outDir: string): Promise<string> {
  // Nothing is built beside the sources, where the linter and the tests would find it.
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-package-'));
  await cp(sourceDir, scratch.path, { recursive: true });
  const config = path.join(sourceDir, 'tsconfig.build.json');
  const distDir = path.join(scratch.path, 'dist');
  await run(process.execPath, [tsc, '--project', config, '--outDir', distDir]);
  await run('npm', ['pack', scratch.path, '--pack-destination', outDir]);
  const manifest = await readFile(path.join(sourceDir, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest);
  return path.join(outDir, `${name}-${version}.tgz`);
}

async function run(command: string, args: string[]): Promise<void> {
  const child = startChild(command, args);
  if ((await child.exited) === 0) return;
  throw new CommandError(`Cannot pack lib/idempotency:\n${child.output().trim()}`);
}
