// Checks that the checked-out commit can be released, and writes what the workflow `release` publishes into
// .release: the version, the notes and an archive of the sources. It publishes nothing, so it can be run
// anywhere: `npx node .github/scripts/prepare-release.ts`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readRelease } from '../../packages/powertools-idempotency-transactional/scripts/release.ts';

const outDir = '.release';
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Why this commit can't be released at `version`, a sentence each. */
function listProblems(version: string): string[] {
  const { version: inManifest } = JSON.parse(readFileSync('package.json', 'utf8'));
  const forms = `fixtures/releases/${version}`;
  const problems: string[] = [];
  if (inManifest !== version) {
    problems.push(`expected the version of package.json to be ${version}; got ${inManifest}.`);
  }
  if (git('tag', '--list', `v${version}`) !== '') {
    problems.push(
      `expected a version without a tag; got ${version}. Add a section to CHANGELOG.md.`,
    );
  }
  if (!existsSync(forms)) {
    problems.push(
      `expected the stored forms of ${version} in ${forms}; got none. Run npm --prefix proofs run freeze.`,
    );
  }
  if (git('status', '--porcelain') !== '') {
    problems.push('expected a checkout without changes; got some. Commit or remove them.');
  }
  return problems;
}

try {
  const { version, notes } = readRelease(readFileSync('CHANGELOG.md', 'utf8'));
  const problems = listProblems(version);
  if (problems.length > 0) throw new Error(problems.join('\n'));

  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir);
  const archive = `${outDir}/click-tally-${version}.tar.gz`;
  git(
    'archive',
    '--format=tar.gz',
    `--prefix=click-tally-${version}/`,
    `--output=${archive}`,
    'HEAD',
  );
  writeFileSync(`${outDir}/version`, version);
  writeFileSync(`${outDir}/notes.md`, notes);
  console.log(`click-tally ${version} can be released: ${archive}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
