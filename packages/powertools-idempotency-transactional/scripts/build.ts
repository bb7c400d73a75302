// Makes the package that npm publishes, in the folder .build or a given one. If something is missing for a release, the
// package is private: you can install it, but npm rejects to publish it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { linkToSource, makeAddresses, makeManifest, readRelease, type Source } from './release.ts';

const out = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../.build'));
process.chdir(path.join(import.meta.dirname, '..'));
const read = (name: string) => readFileSync(name, 'utf8');
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

function compile(kind: string, ...options: string[]): void {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = path.join(path.dirname(typescript), 'bin/tsc');
  const target = ['--project', 'tsconfig.build.json', '--outDir', path.join(out, 'lib', kind)];
  execFileSync(process.execPath, [tsc, ...target, ...options], { stdio: 'inherit' });
}

/** @throws if it isn't known on GitHub. */
function findSource(): Source {
  const { GITHUB_REPOSITORY, GITHUB_SHA } = process.env;
  const commit = GITHUB_SHA ?? run('git', 'rev-parse', 'HEAD');
  const origin = GITHUB_REPOSITORY ?? run('git', 'config', '--default=none', 'remote.origin.url');
  const [, repository] = /^(?:.*github\.com[/:])?([\w-]+\/[\w.-]+?)(?:\.git)?$/.exec(origin) ?? [];
  if (repository) return { repository, commit };
  throw new Error(`expected a repository on GitHub as GITHUB_REPOSITORY or origin; got ${origin}`);
}

rmSync(out, { recursive: true, force: true });
compile('esm');
compile(
  'cjs',
  ...'--module commonjs --moduleResolution bundler --verbatimModuleSyntax false'.split(' '),
);
const cjs = { type: 'commonjs', sideEffects: false };
writeFileSync(path.join(out, 'lib/cjs/package.json'), JSON.stringify(cjs));
for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(name, path.join(out, name));
let manifest: Record<string, unknown> = makeManifest(JSON.parse(read('package.json')));
let readme = read('README.md');
try {
  const { version } = readRelease(read('CHANGELOG.md'));
  const source = findSource();
  manifest = { ...manifest, version, ...makeAddresses(source) };
  readme = linkToSource(readme, source);
} catch (error) {
  manifest.private = true;
  // In a workspace's folder, npm takes no notice of `private`.
  const rejection = 'Expected a release; got a build that is private.';
  manifest.scripts = { prepublishOnly: `echo '${rejection}' >&2 && exit 1` };
  console.warn(`Not for publication: ${error instanceof Error ? error.message : error}`);
}
writeFileSync(path.join(out, 'package.json'), JSON.stringify(manifest, null, 2));
writeFileSync(path.join(out, 'README.md'), readme);
