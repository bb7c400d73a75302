import { describe, expect, test } from 'vitest';
import { prepareRelease } from '../../scripts/release.ts';

const changelog = `# Changelog

## 1.2.0 - 2026-12-01

- Faster.

## 1.1.0 - 2026-11-01

- Slower.
`;
const readme = `![a window](window.svg), [a page](recipes.md#sqs), [an anchor](#install), [AWS](https://aws.amazon.com)`;
const files = { manifest: { name: 'a', version: '1.1.0' }, readme, changelog };
const run = { repository: 'ada/tally', commit: 'c0ffee' };
const base = 'packages/powertools-idempotency-transactional';

describe('a release', () => {
  const release = prepareRelease(files, run);

  test('has the version and the notes of the changelog’s newest section', () => {
    expect(release.manifest.version).toBe('1.2.0');
    expect(release.notes).toBe('- Faster.');
  });

  test('names the repository in which the workflow runs, as provenance requires', () => {
    expect(release.manifest).toMatchObject({
      repository: { url: 'git+https://github.com/ada/tally.git', directory: base },
    });
  });

  test('links from npm’s page to the commit’s own pages', () => {
    const at = (kind: string) => `https://github.com/ada/tally/${kind}/c0ffee/${base}`;
    expect(release.readme).toBe(
      `![a window](${at('raw')}/window.svg), [a page](${at('blob')}/recipes.md#sqs), ` +
        '[an anchor](#install), [AWS](https://aws.amazon.com)',
    );
  });

  test('waits for a date in the changelog', () => {
    const undated = changelog.replace('2026-12-01', 'Unreleased');

    expect(() => prepareRelease({ ...files, changelog: undated }, run)).toThrow(
      'got "## 1.2.0 - Unreleased"',
    );
  });
});
