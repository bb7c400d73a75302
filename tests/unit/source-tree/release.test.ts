import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];

/** A clone of this repository, and what the workflow `release` runs in it. */
async function openClone() {
  const dir = await createTestDir();
  const git = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: dir.path });
  git('clone', '--quiet', '--no-tags', '--shared', projectDir, '.');
  const edit = async (file: string, change: (text: string) => string) => {
    const target = path.join(dir.path, file);
    await writeFile(target, change(await readFile(target, 'utf8')));
  };
  return {
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
    git,
    listArchive: (file: string) =>
      execFileSync('tar', ['-tzf', file], { cwd: dir.path, encoding: 'utf8' }).split('\n'),
    read: (file: string) => readFile(path.join(dir.path, file), 'utf8'),
    /** Adds a version to the changelog, as CONTRIBUTING.md says, and commits it. */
    addVersion: async (heading: string, inManifest: string) => {
      await edit('CHANGELOG.md', (text) => text.replace(/^## /m, `## ${heading}\n\nNotes.\n\n## `));
      await edit('package.json', (text) =>
        text.replace(/"version": "[^"]+"/, `"version": "${inManifest}"`),
      );
      await mkdir(path.join(dir.path, 'fixtures/releases/9.8.7'), { recursive: true });
      await writeFile(path.join(dir.path, 'fixtures/releases/9.8.7/forms.json'), '{}');
      git('add', '--all');
      git('commit', '--quiet', '--message', 'chore: release');
    },
    prepare: () => {
      const script = '.github/scripts/prepare-release.ts';
      try {
        execFileSync(process.execPath, [script], { cwd: dir.path, stdio: 'pipe' });
        return [];
      } catch (error) {
        const { stderr } = error as { stderr: Buffer };
        return `${stderr}`.trim().split('\n');
      }
    },
  };
}

test('a release has the version, the notes and the sources of its changelog', async () => {
  await using clone = await openClone();
  await clone.addVersion('9.8.7 - 2026-12-01', '9.8.7');

  const problems = clone.prepare();

  expect(problems).toEqual([]);
  expect(await clone.read('.release/version')).toBe('9.8.7');
  expect(await clone.read('.release/notes.md')).toBe('Notes.');
  expect(clone.listArchive('.release/click-tally-9.8.7.tar.gz')).toContain(
    'click-tally-9.8.7/serverless.yml',
  );
});

test('a version without a date, with a tag or with another manifest is rejected', async () => {
  await using clone = await openClone();
  await clone.addVersion('9.8.7 - 2026-12-01', '9.8.6');
  clone.git('tag', 'v9.8.7');
  await using undated = await openClone();
  await undated.addVersion('9.8.7 - Unreleased', '9.8.7');

  expect(clone.prepare()).toEqual([
    'expected the version of package.json to be 9.8.7; got 9.8.6.',
    'expected a version without a tag; got 9.8.7. Add a section to CHANGELOG.md.',
  ]);
  expect(undated.prepare()).toEqual([
    'expected "## <version> - <date>" first in the changelog; got "## 9.8.7 - Unreleased"',
  ]);
});

test('a version whose stored forms are not frozen, or with changes that are not committed, is rejected', async () => {
  await using clone = await openClone();
  await clone.addVersion('9.8.7 - 2026-12-01', '9.8.7');
  clone.git('rm', '-r', '--quiet', 'fixtures/releases/9.8.7');

  expect(clone.prepare()).toEqual([
    expect.stringMatching(/^expected the stored forms of 9\.8\.7 in fixtures\/releases\/9\.8\.7/),
    expect.stringMatching(/^expected a checkout without changes/),
  ]);
});
