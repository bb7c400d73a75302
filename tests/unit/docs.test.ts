import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { commitEffects } from 'powertools-idempotency-transactional';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serviceNames } from '../../lib/links/import-export/other-services.ts';
import { projectDir } from '../../local/engines/serverless.ts';

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

/** The files, as absolute paths, and anchors to which a page links within the project, also in HTML. */
function findLinks(page: string): { file: string; anchor: string }[] {
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

test.each(pages)(
  '%s has links and commands that exist, and passes no secret as an argument',
  (page) => {
    const links = findLinks(page);
    const text = readFileSync(path.join(projectDir, page), 'utf8');
    const lines = text.split('\n');

    expect(links.filter(({ file }) => !existsSync(file))).toEqual([]);
    const toHeadings = links.filter(({ anchor }) => anchor !== '');
    expect(toHeadings.filter(({ file, anchor }) => !readAnchors(file).includes(anchor))).toEqual(
      [],
    );

    // ps shows a command's arguments to every user of the machine.
    const secret =
      /(-H|--header)[ =]?["']?authorization|--(password|token)\b|\$(TOKEN|PASSWORD)\b/i;
    const fromStdin = (line: string) => line.replace(/<<< ".*"$/, '');
    expect(lines.filter((line) => secret.test(fromStdin(line)))).toEqual([]);

    const scripts = text.matchAll(
      /\bnpm (?:--prefix (?<folder>\S+) )?run (?:--silent )?(?<name>[\w:]+)/g,
    );
    for (const [, folder = '.', name = ''] of scripts) {
      expect(readScripts(folder), `${name} of ${folder}`).toHaveProperty([name]);
    }
  },
);

test.each(['README.md', 'CHANGELOG.md'])('%s names each service whose exports work', (page) => {
  const text = readFileSync(path.join(projectDir, page), 'utf8');
  expect(serviceNames.filter((name) => !text.includes(name))).toEqual([]);
});

test('the settings have every param of serverless.yml', () => {
  const read = (file: string) => readFileSync(path.join(projectDir, file), 'utf8');
  const [, params = ''] = /^params:\n(.*?)^provider:/ms.exec(read('serverless.yml')) ?? [];
  const names = [...params.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name);
  const page = read('docs/settings.md');

  expect(names).toContain('clickQueues');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** The cause that the layer names when a commit runs out of time while its request has this result. */
async function nameCause(send: () => Promise<unknown>, timeoutMs: number): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const deadlineMs = Date.now() + timeoutMs;
  const sendLate = () => {
    vi.setSystemTime(deadlineMs);
    return send();
  };
  const effects = { writes: [{ Put: { Item: { PK: 'LINK#a', SK: 'META' } } }] };
  const options = {
    awsSdkV3Client: { send: sendLate } as unknown as DynamoDBClient,
    tables: { clicks: ['PK', 'SK'] },
    deadlineMs,
  };
  const error = await commitEffects(effects, options).catch((caught: Error) => caught);
  return /deadline: (?:\d+ × )?(.+)$/.exec(`${error}`)?.[1] ?? 'none';
}

test.each<[string, () => Promise<unknown>, number]>([
  ['no request was sent', async () => ({}), 0],
  ['DynamoDB is silent', () => Promise.reject(new DOMException('', 'AbortError')), 60_000],
  ['something other than DynamoDB answers', async () => ({ $metadata: {} }), 60_000],
])(
  'the runbook has the cause of a click that ran out of time if %s',
  async (_, send, timeoutMs) => {
    const runbook = readFileSync(path.join(projectDir, 'docs/runbook.md'), 'utf8');
    const [, section = ''] = runbook.split('### Out of time');

    const cause = await nameCause(send, timeoutMs);

    expect(section.split('\n## ')[0]).toContain(`\`${cause}\``);
  },
);
