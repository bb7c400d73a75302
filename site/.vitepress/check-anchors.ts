import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * VitePress itself checks that a link's page exists. This checks the anchor.
 * @throws {Error} that lists the links whose heading doesn't exist.
 */
export function checkAnchors(outDir: string): void {
  const pages = globSync('**/*.html', { cwd: outDir });
  const broken = pages.flatMap((page) => {
    const links = readFileSync(path.join(outDir, page), 'utf8').matchAll(
      /<a [^>]*?href="(?<target>\/?[^":#]*)#(?<anchor>[^"]+)"/g,
    );
    return [...links]
      .map(({ groups }) => ({ page, target: groups?.target ?? '', anchor: groups?.anchor ?? '' }))
      .filter(({ target, anchor }) => !hasAnchor(outDir, target || page, anchor));
  });
  if (broken.length === 0) return;
  const list = broken.map(({ page, target, anchor }) => `${page}: ${target}#${anchor}`);
  throw new Error(`expected each anchor to exist; these don't:\n${list.join('\n')}`);
}

function hasAnchor(outDir: string, target: string, anchor: string): boolean {
  const withoutBase = target.replace(process.env.BASE_PATH ?? '', '').replace(/\.html$/, '');
  const file = path.join(outDir, `${withoutBase === '/' ? 'index' : withoutBase}.html`);
  return existsSync(file) && readFileSync(file, 'utf8').includes(`id="${decodeURI(anchor)}"`);
}
