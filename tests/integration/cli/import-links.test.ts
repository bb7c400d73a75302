import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HttpResponse, startHttpServer } from '../../../cli/loopback/http-server.ts';
import { runOperatorCommand } from '../../helpers/operator.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

interface Item {
  key: string;
  url: string;
  code?: string;
  expiresAt?: string;
}

type Outcome = Record<string, string>;

/** Answers like the API, with its links by key. */
const links = new Map<string, string>();
let batches: Item[][] = [];
let quota = Number.POSITIVE_INFINITY;
let failWith: HttpResponse | undefined;
let api: Awaited<ReturnType<typeof startHttpServer>>;
let dir: Awaited<ReturnType<typeof createTestDir>>;

function importItem({ key, url, code = `code-${links.size}` }: Item): Outcome {
  const shortUrl = (of: string) => `https://go.example.com/${of}`;
  const known = links.get(key);
  if (known) return { outcome: 'existing', code: known, shortUrl: shortUrl(known) };
  if (!url.startsWith('https://')) return { outcome: 'refused', message: `bad: ${url}` };
  if ([...links.values()].includes(code)) return { outcome: 'refused', message: `taken: ${code}` };
  if (links.size >= quota) return { outcome: 'over-quota', message: 'daily limit' };
  links.set(key, code);
  return { outcome: 'created', code, shortUrl: shortUrl(code) };
}

beforeAll(async () => {
  dir = await createTestDir();
  api = await startHttpServer(async ({ path, body }) => {
    if (path === '/') return { status: 200, body: {} };
    if (failWith) return failWith;
    const batch: { links: Item[] } = JSON.parse(body);
    batches.push(batch.links);
    return { status: 200, body: { outcomes: batch.links.map(importItem) } };
  });
  const unused = ['liveUrl', 'dynamodbEndpoint', 'eventsEndpoint', 'clickQueueUrl', 'clickDlqUrl'];
  const names = [...unused, 'clickRuleDlqUrl', 'region', 'tableName', 'busName', 'otherToken'];
  const stack = {
    ...Object.fromEntries(names.map((name) => [name, 'http://127.0.0.1:1/'])),
    ...{ api: api.url, sqsEndpoint: api.url, token: 'a-token', pid: process.pid },
  };
  await writeFile(path.join(dir.path, 'stack.json'), JSON.stringify(stack));
});

afterAll(async () => {
  await api.stop();
  await dir.remove();
});

beforeEach(() => {
  links.clear();
  batches = [];
  quota = Number.POSITIVE_INFINITY;
  failWith = undefined;
});

const file = () => path.join(dir.path, 'links.csv');

async function importCsv(content: string | Buffer) {
  await writeFile(file(), content);
  const STACK_FILE = path.join(dir.path, 'stack.json');
  return runOperatorCommand('links.ts', ['import', file()], { STACK_FILE });
}

async function readResults(): Promise<Outcome[]> {
  const text = await readFile(path.join(dir.path, 'links.result.csv'), 'utf8');
  return parse(text, { columns: true });
}

const makeCsv = (count: number) =>
  `url\n${Array.from({ length: count }, (_, index) => `https://example.com/${index}`).join('\n')}\n`;

test('imports in batches of 100, and writes the short links and the reasons of bad rows', async () => {
  const bad = 'https://example.com/x,code-1,\n=HYPERLINK("x"),,A\n';
  const csv = makeCsv(250).replaceAll(/^url$/gm, 'url,code,title').replaceAll(/(\d)$/gm, '$1,,');

  const { code, stdout } = await importCsv(csv + bad);

  expect([code, stdout]).toEqual([
    1,
    "These columns aren't imported: title.\n" +
      'line 252: taken: code-1\nline 253: bad: =HYPERLINK("x")\n' +
      `250 created, 0 already existed, 2 refused. See ${path.join(dir.path, 'links.result.csv')}.\n`,
  ]);
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 52]);
  const results = await readResults();
  expect(results).toHaveLength(252);
  expect(results[1]).toEqual({
    ...{ line: '3', url: 'https://example.com/1', code: 'code-1' },
    ...{ shortUrl: 'https://go.example.com/code-1', outcome: 'created', message: '' },
  });
  expect(results.at(-1)).toMatchObject({ line: '253', url: '\'=HYPERLINK("x")' });
});

test('creates nothing twice if it runs again, even after rows were added or mended', async () => {
  await importCsv('url,code\nhttps://example.com/a,abcd\nexample,\nhttps://example.com/a,\n');
  const { stdout } = await importCsv(
    'url,code\nhttps://example.com/new,\nhttps://example.com/a,abcd\nhttps://example.com/b,\nhttps://example.com/a,\n',
  );

  expect(stdout).toContain('2 created, 2 already existed, 0 refused.');
});

test('stops at the daily limit and continues the next day', async () => {
  quota = 130;
  const today = await importCsv(makeCsv(450));
  quota = 1_000;
  const tomorrow = await importCsv(makeCsv(450));

  expect(today.code).toBe(1);
  expect(today.stdout).toContain(
    "You've reached your daily limit. For the other 320 rows, repeat this tomorrow (UTC).\n",
  );
  expect(tomorrow).toMatchObject({ code: 0 });
  expect(tomorrow.stdout).toContain('320 created, 130 already existed, 0 refused.');
  expect(links.size).toBe(450);
});

test('an error of the API stops it with one line, and the results so far stay', async () => {
  failWith = { status: 429, body: { message: 'Try again in 20 seconds.' } };

  const { code, stderr } = await importCsv(makeCsv(10));

  expect([code, stderr]).toEqual([
    2,
    `error: The API of the local stack at ${api.url} answered 429: Try again in 20 seconds.\n`,
  ]);
  expect(await readResults()).toEqual([]);
});

test('a CSV file with a fault is refused in one line, before anything is imported', async () => {
  const { code, stdout, stderr } = await importCsv(`${makeCsv(200)}https://example.com/a,b\n`);

  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: Expected line 202 of [^\n]*\n$/);
  expect(batches).toEqual([]);
});

test('rows with long cells are sent in smaller batches', async () => {
  const long = `https://example.com/${'é'.repeat(30_000)}`;

  await importCsv(`url\n${`${long}\n`.repeat(60)}`);

  expect(batches.flat()).toHaveLength(60);
  for (const batch of batches) {
    expect(Buffer.byteLength(JSON.stringify({ links: batch }))).toBeLessThan(262_144);
  }
});
