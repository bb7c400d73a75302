// Prepares the package's folder for `npm publish`, and prints the release's notes. Run it in the folder, in a
// checkout that is thrown away afterwards.
import { readFile, writeFile } from 'node:fs/promises';
import { prepareRelease } from './release.ts';

const { GITHUB_REPOSITORY: repository, GITHUB_SHA: commit } = process.env;
if (!repository || !commit) throw new Error('expected GITHUB_REPOSITORY and GITHUB_SHA; set both');

const read = (name: string) => readFile(name, 'utf8');
const release = prepareRelease(
  {
    manifest: JSON.parse(await read('package.json')),
    readme: await read('README.md'),
    changelog: await read('CHANGELOG.md'),
  },
  { repository, commit },
);
await writeFile('package.json', JSON.stringify(release.manifest, null, 2));
await writeFile('README.md', release.readme);
console.log(release.notes);
