/** What a release changes in the package's folder before npm packs it, and what it announces. */
export interface Release {
  manifest: Record<string, unknown>;
  readme: string;
  notes: string;
}

const folder = 'packages/powertools-idempotency-transactional';

/**
 * Takes the version and the notes from the changelog's newest section, and the addresses from the repository
 * in which the workflow runs: npm refuses a provenance whose repository is not the manifest's. The README's
 * links become absolute, because the pages that they lead to are not in the tarball.
 *
 * @throws if the newest section is not `## <version> - <date>`.
 */
export function prepareRelease(
  { manifest, readme, changelog }: Omit<Release, 'notes'> & { changelog: string },
  { repository, commit }: { repository: string; commit: string },
): Release {
  const [, newest = ''] = changelog.split(/^## /m);
  const [heading = '', ...notes] = newest.split('\n');
  const [, version] = /^(\d+\.\d+\.\d+\S*) - \d{4}-\d{2}-\d{2}$/.exec(heading) ?? [];
  if (!version) {
    throw new Error(`expected "## <version> - <date>" first in the changelog; got "## ${heading}"`);
  }
  const url = `https://github.com/${repository}`;
  const toAbsolute = (_: string, image: string, text: string, target: string) =>
    `${image}[${text}](${url}/${image ? 'raw' : 'blob'}/${commit}/${folder}/${target})`;
  return {
    manifest: {
      ...manifest,
      version,
      repository: { type: 'git', url: `git+${url}.git`, directory: folder },
      homepage: `${url}/tree/${commit}/${folder}#readme`,
      bugs: `${url}/issues`,
    },
    readme: readme.replaceAll(/(!?)\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)/g, toAbsolute),
    notes: notes.join('\n').trim(),
  };
}
