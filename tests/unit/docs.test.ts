import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';

interface Link {
  /** An absolute path. */
  file: string;
  anchor: string;
}

// `**` skips folders that start with a dot.
const pages = globSync(['**/*.md', '.github/**/*.md'], {
  cwd: projectDir,
  exclude: ['**/node_modules/**', 'reports/**'],
}).toSorted();

/** A link from a file in the project's root to a GitHub page of the repository. */
const onGitHub = /^\.\.\/\.\.\/(actions|security)\//;

/** A page's text without its code blocks, in which nothing is a link or a heading. */
function readProse(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/^```.*?^```/gms, '');
}

/** The links within the project, in Markdown and in HTML. */
function findLinks(page: string): Link[] {
  const file = path.join(projectDir, page);
  const links =
    /\[(?:[^[\]]|\[[^\]]*\])*\]\((?<md>[^)\s]+)\)|(?:href|src|srcset)="(?<html>[^"]+)"/g;
  return [...readProse(file).matchAll(links)]
    .map(({ groups: { md, html = '' } = {} }) => md ?? html)
    .filter((url) => !/^[a-z]+:/.test(url) && !onGitHub.test(url))
    .map((url) => {
      const [target = '', anchor = ''] = url.split('#');
      return { file: target === '' ? file : path.resolve(path.dirname(file), target), anchor };
    });
}

/** The anchors that GitHub gives to a page's headings. */
function readAnchors(file: string): string[] {
  const anchors: string[] = [];
  for (const [, heading = ''] of readProse(file).matchAll(/^#+ (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const earlier = anchors.filter((other) => other.replace(/-\d+$/, '') === anchor).length;
    anchors.push(earlier === 0 ? anchor : `${anchor}-${earlier}`);
  }
  return anchors;
}

const readScripts = (folder: string) =>
  JSON.parse(readFileSync(path.join(projectDir, folder, 'package.json'), 'utf8')).scripts;

describe.each(pages)('%s', (page) => {
  const links = findLinks(page);
  const text = readFileSync(path.join(projectDir, page), 'utf8');

  test('links to files and headings that exist', () => {
    expect(links.filter(({ file }) => !existsSync(file))).toEqual([]);
    const toHeadings = links.filter(({ anchor }) => anchor !== '');
    expect(toHeadings.filter(({ file, anchor }) => !readAnchors(file).includes(anchor))).toEqual(
      [],
    );
  });

  // ps shows a command's arguments to every user of the machine.
  test('never passes a token or a password as an argument', () => {
    const secret =
      /(-H|--header)[ =]?["']?authorization|--(password|token)\b|\$(TOKEN|PASSWORD)\b/i;
    const fromStdin = (line: string) => line.replace(/<<< ".*"$/, '');

    expect(text.split('\n').filter((line) => secret.test(fromStdin(line)))).toEqual([]);
  });

  // zsh, the default shell on macOS, runs a pasted comment as a command. A code may look like an
  // option: owners could once choose "--help".
  test('has commands that work in zsh, and with any code', () => {
    const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block = '']) => block);
    const withCode = text.split('\n').filter((line) => /npm run.*\$\{?CODE/.test(line));

    const lines = blocks.flatMap((block) => block.split('\n'));
    expect(lines.filter((line) => /(^|\s)#(\s|$)/.test(line))).toEqual([]);
    expect(withCode.filter((line) => !/ -- "\$CODE"$| --code "\$CODE"/.test(line))).toEqual([]);
  });

  test('has commands whose scripts exist', () => {
    const named = text.matchAll(
      /\bnpm (?:--prefix (?<folder>\S+) )?run (?:--silent )?(?<name>[\w:]+)/g,
    );
    const missing = [...named].filter(
      ({ groups: { folder = '.', name = '' } = {} }) => !(name in readScripts(folder)),
    );
    expect(missing.map(([command]) => command)).toEqual([]);
  });
});

test('the settings have every param of serverless.yml', () => {
  const read = (file: string) => readFileSync(path.join(projectDir, file), 'utf8');
  const [, params = ''] = /^params:\n(.*?)^provider:/ms.exec(read('serverless.yml')) ?? [];
  const names = [...params.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name);
  const page = read('docs/settings.md');

  expect(names).toContain('clickQueues');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
