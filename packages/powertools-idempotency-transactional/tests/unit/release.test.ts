import { expect, test } from 'vitest';
import { linkToSource, makeAddresses, makeManifest, readRelease } from '../../scripts/release.ts';

const changelog = (date: string) =>
  `# Changelog\n\n## 1.2.0 - ${date}\n\n- Faster.\n\n## 1.1.0 - 2026-11-01\n\n- Slower.\n`;
const source = { repository: 'ada/tally', commit: 'c0ffee' };
const base = 'packages/powertools-idempotency-transactional';

test('a release has the version and the notes of the changelog’s newest section, which needs a date', () => {
  expect(readRelease(changelog('2026-12-01'))).toEqual({ version: '1.2.0', notes: '- Faster.' });
  expect(() => readRelease(changelog('Unreleased'))).toThrow('got "## 1.2.0 - Unreleased"');
});

test('npm gets none of the manifest that only this repository needs', () => {
  const manifest = makeManifest({ name: 'a', scripts: {}, devDependencies: {} });

  expect(Object.keys(manifest)).toEqual(['name', 'main', 'types', 'exports', 'files']);
});

test('a release names the repository in which the workflow runs, as provenance requires', () => {
  expect(makeAddresses(source)).toEqual({
    repository: { type: 'git', url: 'git+https://github.com/ada/tally.git', directory: base },
    homepage: `https://github.com/ada/tally/tree/c0ffee/${base}#readme`,
    bugs: 'https://github.com/ada/tally/issues',
  });
});

test('npm’s page links to the commit’s own pages', () => {
  const page = `![a window](window.svg), [a page](recipes.md#sqs), [an anchor](#install), [AWS](https://aws.amazon.com)`;
  const at = (kind: string) => `https://github.com/ada/tally/${kind}/c0ffee/${base}`;

  expect(linkToSource(page, source)).toBe(
    `![a window](${at('raw')}/window.svg), [a page](${at('blob')}/recipes.md#sqs), ` +
      '[an anchor](#install), [AWS](https://aws.amazon.com)',
  );
});
