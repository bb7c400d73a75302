import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../../cli/terminal/command-error.ts';
import { startChild } from '../../../local/engines/child-process.ts';
import { projectDir } from '../../../local/engines/serverless.ts';

const packageDir = path.join(projectDir, 'packages/powertools-idempotency-transactional');
/** What npm adds to the compiled modules. */
const documents = ['README.md', 'CHANGELOG.md', 'LICENSE', 'comparison.md', 'window.svg'];
interface Manifest {
  name: string;
  version: string;
  exports: object;
  scripts?: object;
}

const require = createRequire(import.meta.url);
const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');

/**
 * Compiles the package to JavaScript and packs it into a folder, as npm publishes it. Returns the path of
 * the tarball.
 *
 * @throws {CommandError} with the compiler's or npm's output.
 */
export async function packIdempotency(outDir: string): Promise<string> {
  // Nothing is built beside the sources, where the linter and the tests would find it.
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-package-'));
  for (const name of documents)
    await cp(path.join(packageDir, name), path.join(scratch.path, name));
  const config = path.join(packageDir, 'tsconfig.build.json');
  const distDir = path.join(scratch.path, 'dist');
  await run(process.execPath, [tsc, '--project', config, '--outDir', distDir]);
  const manifest = toPublished(
    JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8')),
  );
  await writeFile(path.join(scratch.path, 'package.json'), JSON.stringify(manifest, null, 2));
  await run('npm', ['pack', scratch.path, '--pack-destination', outDir]);
  return path.join(outDir, `${manifest.name}-${manifest.version}.tgz`);
}

/** In this repository the package exports its sources, so that nobody has to build it first. */
function toPublished({ scripts: _, ...manifest }: Manifest): Manifest {
  const main = { types: './dist/index.d.ts', default: './dist/index.js' };
  return { ...manifest, exports: { ...manifest.exports, '.': main } };
}

async function run(command: string, args: string[]): Promise<void> {
  const child = startChild(command, args);
  if ((await child.exited) === 0) return;
  throw new CommandError(
    `Cannot pack packages/powertools-idempotency-transactional:\n${child.output().trim()}`,
  );
}
