/** Where a release comes from. */
export interface Source {
  /** On GitHub: `<owner>/<name>`. */
  repository: string;
  commit: string;
}

const folder = 'packages/powertools-idempotency-transactional';
const kinds = { require: 'cjs', import: 'esm' };

/** The version and the notes of a changelog's newest section. @throws if it has no date. */
export function readRelease(changelog: string): { version: string; notes: string } {
  const [, newest = ''] = changelog.split(/^## /m);
  const [heading = '', ...notes] = newest.split('\n');
  const [, version] = /^(\d+\.\d+\.\d+\S*) - \d{4}-\d{2}-\d{2}$/.exec(heading) ?? [];
  if (version) return { version, notes: notes.join('\n').trim() };
  throw new Error(`expected "## <version> - <date>" first in the changelog; got "## ${heading}"`);
}

/**
 * The manifest that npm gets: without what only this repository needs, and with both kinds of modules, as Powertools
 * has them. `main`, `types` and `typesVersions` are for resolvers that don't know `exports`.
 */
export function makeManifest({ scripts, devDependencies, ...manifest }: Manifest) {
  return {
    ...manifest,
    main: './lib/cjs/index.js',
    types: './lib/cjs/index.d.ts',
    typesVersions: { '*': { sheets: ['./lib/cjs/sheets.d.ts'] } },
    exports: {
      '.': makeEntry('index'),
      './sheets': makeEntry('sheets'),
      './package.json': './package.json',
    },
    files: ['lib', 'CHANGELOG.md'],
  };
}

function makeEntry(name: string) {
  const entries = Object.entries(kinds).map(([condition, kind]) => {
    const file = `./lib/${kind}/${name}`;
    return [condition, { types: `${file}.d.ts`, default: `${file}.js` }] as const;
  });
  return Object.fromEntries(entries);
}

type Manifest = Record<string, unknown>;

/** The addresses of a release. npm rejects a provenance whose repository isn't the manifest's. */
export function makeAddresses({ repository, commit }: Source) {
  const url = `https://github.com/${repository}`;
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory: folder },
    homepage: `${url}/tree/${commit}/${folder}#readme`,
    bugs: `${url}/issues`,
  };
}

/** Makes a page's relative links absolute, because the pages that they lead to aren't in the tarball. */
export function linkToSource(page: string, { repository, commit }: Source): string {
  const toAbsolute = (_: string, image: string, text: string, target: string) =>
    `${image}[${text}](https://github.com/${repository}/${image ? 'raw' : 'blob'}/${commit}/${folder}/${target})`;
  return page.replaceAll(/(!?)\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)/g, toAbsolute);
}
