import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

const root = path.join(import.meta.dirname, '../..');
const repositoryUrl = `https://github.com/${process.env.GITHUB_REPOSITORY ?? readOrigin()}`;
const commit = process.env.GITHUB_SHA ?? 'main';

/** "owner/name" of this clone's origin on GitHub. A clone of something else has no source to link to. */
function readOrigin(): string {
  const origin = execFileSync('git', ['config', '--default=', 'remote.origin.url'], {
    cwd: root,
    encoding: 'utf8',
  });
  const match = /github\.com[/:](?<name>[\w-]+\/[\w.-]+?)(?:\.git)?\s*$/.exec(origin);
  return match?.groups?.name ?? 'not-on-github/click-tally';
}

/**
 * Pages link to source files and folders, as GitHub shows them. Here, a folder with a README leads to
 * its page, and everything else to GitHub.
 */
export function linkToSource(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('link-to-source', ({ tokens, env }) => {
    const folder = path.dirname(env.relativePath);
    for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
      if (token.type === 'link_open') {
        token.attrSet('href', resolveLink(token.attrGet('href') ?? '', folder));
      }
      if (token.type === 'image') {
        token.attrSet('src', resolveImage(token.attrGet('src') ?? '', folder));
      }
      if (token.type === 'html_block' || token.type === 'html_inline') {
        // Vite takes a path without a dot for a package's.
        token.content = token.content.replaceAll(/\b(src|srcset)="(?=\w+\/)/g, '$1="./');
      }
    }
  });
}

/** A badge, such as ../../actions/workflows/ci.yml/badge.svg, is GitHub's. Other images are files. */
function resolveImage(source: string, folder: string): string {
  return source.startsWith('../../') ? resolveLink(source, folder) : source;
}

/** A link of a page in `folder`, seen from the site's root. */
function resolveLink(href: string, folder: string): string {
  if (href.startsWith('#') || /^[a-z]+:/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  // Outside the repository's files, such as ../../actions, is GitHub's own page of it.
  const file = path.join(folder, decodeURI(target));
  if (file.startsWith('..')) return `${repositoryUrl}/${file.replace(/^(\.\.\/)+/, '')}`;
  if (file === 'README.md') return `/${hash}`;
  const isPage = file.endsWith('.md') && !/(^|\/)\./.test(file);
  if (isPage) return `/${file}${hash}`;
  const readme = path.join(file, 'README.md');
  if (existsSync(path.join(root, readme))) return `/${readme}${hash}`;
  const kind = statSync(path.join(root, file)).isDirectory() ? 'tree' : 'blob';
  return `${repositoryUrl}/${kind}/${commit}/${file}${hash}`;
}
