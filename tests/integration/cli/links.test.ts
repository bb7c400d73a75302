import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toBytes } from '../../../lib/clicks/visitor-sketch.ts';
import { urlCacheSeconds } from '../../../lib/redirect/url-cache.ts';
import {
  type HttpRequest,
  type HttpResponse,
  startHttpServer,
} from '../../../loopback/http-server.ts';
import { dayOf, link } from '../../helpers/items.ts';
import { mistake, startOperatedStack } from '../../helpers/operator.ts';
import { useTestDir } from '../../helpers/test-dir.ts';

const url = 'https://example.com/';
const requests: HttpRequest[] = [];
let answer: HttpResponse | ((request: HttpRequest) => HttpResponse);
let api: Awaited<ReturnType<typeof startHttpServer>>;
let stack: Awaited<ReturnType<typeof startOperatedStack>>;
const dir = useTestDir();
const inDir = (name: string) => path.join(dir.path, name);

beforeAll(async () => {
  api = await startHttpServer(async (request) => {
    requests.push(request);
    return typeof answer === 'function' ? answer(request) : answer;
  });
  stack = await startOperatedStack({ api: api.url, token: 'a-token' });
  return () => Promise.all([api.stop(), stack.stop()]);
});

beforeEach(() => {
  requests.length = 0;
});

const run = (...args: string[]) => stack.run('links.ts', args);

/** A link as the API describes it. */
const apiLink = {
  code: 'spring',
  shortUrl: 'https://go.example.com/spring',
  url,
  clicks: 12,
  createdAt: '2026-01-01T00:00:00.000Z',
  people: 7,
  bots: 4,
  disabled: false,
};

const readItem = (code: string) => stack.table.get(`LINK#${code}`, 'META');

const later = '2035-01-01T00:00:00.000Z';

test.each([
  {
    args: [url, '--code', 'spring', '--title', 'Sale', '--tags', 'A, b', '--note', 'Old'],
    sent: { url, code: 'spring', title: 'Sale', note: 'Old', tags: ['A', 'b'] },
  },
  { args: ['example.com/a'], sent: { url: `${url}a` } },
])('create $args calls the API and prints the link', async ({ args, sent }) => {
  const shortUrl = `${api.url}/spring`;
  answer = { status: 201, body: { ...apiLink, shortUrl } };

  const { code, stdout } = await run('create', ...args);

  expect(code).toBe(0);
  expect(stdout).toEqual(`${shortUrl} leads to ${url}\n`);
  expect(requests).toMatchObject([
    {
      method: 'POST',
      path: '/links',
      headers: { authorization: 'Bearer a-token' },
      body: JSON.stringify(sent),
    },
  ]);
});

test.each([
  { args: ['--url', 'example.com/'], sent: { url } },
  { args: ['--title', '', '--tags', ''], sent: { title: '', tags: [] } },
  { args: ['--no-forward-query'], sent: { forwardQuery: null } },
  { args: ['--expires', later], sent: { expiresAt: later }, shown: `, until ${later}` },
  { args: ['--expires', 'never'], sent: { expiresAt: null } },
])('edit $args calls the API and prints the link', async ({ args, sent, shown = '' }) => {
  const shortUrl = `${api.url}/spring`;
  answer = { status: 200, body: { ...apiLink, shortUrl, ...(shown && { expiresAt: later }) } };

  const { code, stdout } = await run('edit', 'spring', ...args);

  expect(code).toBe(0);
  expect(stdout).toEqual(`${shortUrl} leads to ${url}${shown}\n`);
  expect(requests).toMatchObject([
    {
      method: 'PATCH',
      path: '/links/spring',
      headers: { authorization: 'Bearer a-token' },
      body: JSON.stringify(sent),
    },
  ]);
});

test.each([
  [
    { message: 'Shorten the title: 200 characters are the maximum.' },
    'Shorten the title: 200 characters are the maximum.',
  ],
  [{ message: 'Too Many Requests' }, 'The API of _ answered 400: Too Many Requests'],
  ['<html>', 'The API of _ answered 400: <html>'],
])('an error is its sentence, or what %j is: %s', async (body, line) => {
  answer = { status: 400, body };

  const stackName = `the local stack at ${api.url}`;
  expect(await run('create', url)).toEqual(mistake(line.replace('_', stackName)));
});

test('create repeats a request whose answer failed, with the same key', async () => {
  answer = () => (requests.length < 3 ? { status: 503, body: {} } : { status: 201, body: apiLink });

  expect(await run('create', url)).toMatchObject({ code: 0 });

  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
});

test('delete says until when the link can be restored, and list and restore find it', async () => {
  const deletedAt = '2026-05-26T10:00:00.000Z';
  const keptUntil = '2026-08-24T10:00:00.000Z';
  answer = ({ method, path }) => {
    const body = method === 'GET' ? { links: [{ ...apiLink, deletedAt }] } : apiLink;
    const isDeletion = method === 'DELETE' && path === '/links/spring';
    return { status: 200, body: isDeletion ? { code: 'spring', deletedAt, keptUntil } : body };
  };

  const deleted = await run('delete', 'spring');
  const listed = await run('list', '--deleted');
  const restored = await run('restore', 'spring');

  expect(deleted.stdout).toBe(
    `spring of the local stack at ${api.url} is deleted. Within ${urlCacheSeconds} seconds, visitors get 404. You can restore it until ${keptUntil}.\n`,
  );
  expect(listed.stdout).toContain(`${url}, deleted ${deletedAt}\n`);
  expect(restored.stdout).toBe(`${api.url}/spring leads to ${url}\n`);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...['DELETE /links/spring', 'GET /links?limit=100&deleted=true', 'POST /links/spring/restore'],
  ]);
});

test('list prints the links of every page, or those with a tag, with their state or as JSON lines', async () => {
  const state = { expiresAt: '2026-01-02T00:00:00.000Z', disabled: true };
  const tagged = { ...apiLink, tags: ['café sale', 'b'] };
  const expired = { ...apiLink, code: 'autumn', ...state, tags: ['b'] };
  const first = { links: [tagged], cursor: 'c3ByaW5n' };
  const page = (path: string) => (path.includes('cursor=') ? { links: [expired] } : first);
  answer = ({ path }) => ({ status: 200, body: page(path) });

  const { stdout } = await run('list');
  const json = await run('list', '--json');
  const found = await run('list', '--json', '--tag', ' Cafe\u0301  Sale');

  const lines = json.stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([tagged, expired]);
  expect(JSON.parse(found.stdout)).toEqual(tagged);
  expect(stdout).toBe(
    'code         by people   by bots    clicks  destination\n' +
      `spring               7         4        12  ${url}\n` +
      `autumn               7         4        12  ${url}, disabled, expired 2026-01-02T00:00:00.000Z\n`,
  );
  const paths = ['/links?limit=100', '/links?limit=100&cursor=c3ByaW5n'];
  expect(requests.map(({ path }) => path)).toEqual([...paths, ...paths, ...paths]);
});

describe('export', () => {
  const csv = '/links?format=csv&limit=100';

  test('writes the pages of the API into one file', async () => {
    const next = `<${csv}&cursor=c3ByaW5n>; rel="next"`;
    answer = ({ path }) =>
      path.includes('cursor=')
        ? { status: 200, body: 'autumn,b,c\n' }
        : { status: 200, body: `\ufeffcode,shortUrl,url\nspring,b,c\n`, headers: { link: next } };

    const { code, stdout } = await run('export', '--output', inDir('all.csv'));

    expect(code).toBe(0);
    expect(stdout).toBe('');
    // Excel reads the byte order mark.
    const lines = '\ufeffcode,shortUrl,url\nspring,b,c\nautumn,b,c\n';
    expect(await readFile(inDir('all.csv'), 'utf8')).toBe(lines);
    expect(requests.map(({ path }) => path)).toEqual([csv, `${csv}&cursor=c3ByaW5n`]);
  });

  test('prints the links of all pages as one JSON array, which may be empty', async () => {
    const links = ['spring', 'autumn'].map((code) => ({ ...apiLink, code }));
    const [first, second] = links;
    const pages: object[] = [{ links: [] }, { links: [second] }, { links: [first], cursor: 'c' }];
    answer = () => ({ status: 200, body: pages.pop() ?? {} });
    const print = async () => JSON.parse((await run('export', '--format', 'json')).stdout);

    expect(await print()).toEqual(links);
    expect(await print()).toEqual([]);
  });

  test("prints one link's days, without a byte order mark", async () => {
    answer = { status: 200, body: '\ufeffdate,clicks\n2026-05-26,3\n' };

    const { stdout } = await run('export', 'spring', '--from', '2026-05-01');

    expect(stdout).toBe('date,clicks\n2026-05-26,3\n');
    expect(requests.at(-1)?.path).toBe('/links/spring/stats?format=csv&from=2026-05-01');
  });
});

describe('import', () => {
  interface Row {
    url: string;
    code?: string;
  }
  let created = 0;
  let quota = 1_000;

  /** Answers like the API for a row. */
  function importRow({ url, code = `code-${created}` }: Row) {
    if (!url.startsWith('https://')) return { outcome: 'refused', message: `bad: ${url}` };
    if (created >= quota) return { outcome: 'over-quota', message: 'daily limit' };
    created += 1;
    return { outcome: 'created', code, shortUrl: `https://go.example.com/${code}` };
  }

  beforeEach(() => {
    [created, quota] = [0, 1_000];
    answer = ({ body }) => {
      const outcomes = JSON.parse(body).links.map(importRow);
      return { status: 200, body: { outcomes } };
    };
  });

  async function importCsv(csv: string, ...options: string[]) {
    await writeFile(inDir('links.csv'), csv);
    const { code, stdout, stderr } = await run('import', inDir('links.csv'), ...options);
    const batches: Row[][] = requests.map(({ body }) => JSON.parse(body).links);
    return { code, stdout, stderr, batches };
  }

  const readResults = async (): Promise<Record<string, string>[]> =>
    parse(await readFile(inDir('links.result.csv'), 'utf8'), { columns: true, bom: true });
  const makeCsv = (count: number) =>
    `url,colour\n${Array.from({ length: count }, (_, row) => `${url}${row},\n`).join('')}`;

  test('sends batches of 100, and writes the short links and the reasons of bad rows', async () => {
    const { code, stdout, batches } = await importCsv(`${makeCsv(250)}=HYPERLINK("x"),dark red\n`);

    expect(code).toBe(1);
    expect(stdout).toEqual(
      "These columns aren't imported: colour.\n" +
        'Line 252: bad: =HYPERLINK("x")\n' +
        `250 created, 0 already existed, 1 refused. See ${inDir('links.result.csv')}.\n`,
    );
    expect(batches.map(({ length }) => length)).toEqual([100, 100, 51]);
    const results = await readResults();
    expect(results).toHaveLength(251);
    expect(results[1]).toEqual({
      line: '3',
      url: `${url}1`,
      code: 'code-1',
      outcome: 'created',
      message: '',
      shortUrl: 'https://go.example.com/code-1',
    });
    expect(results.at(-1)).toMatchObject({ line: '252', url: '\'=HYPERLINK("x")' });
  });

  test('keeps the codes of short links, and names a rejected row by its code', async () => {
    const accept = answer as (request: HttpRequest) => HttpResponse;
    const rejected = { outcome: 'refused', message: 'no slash' };
    answer = (request) => {
      const { status, body } = accept(request);
      const { outcomes } = body as { outcomes: object[] };
      return { status, body: { outcomes: [...outcomes.slice(0, 3), rejected] } };
    };
    const ends = ['trail1', 'ab', 'trail8?qr=1', 'x/y'];
    const rows = ends.map((end) => `https://s.example/${end},${url}\n`);

    const { code, stdout, batches } = await importCsv(`Short URL,Long URL\n${rows.join('')}`);

    const codes = batches.flat().map((row) => row.code);
    expect(codes).toEqual(['trail1', 'ab', 'trail8', 'https://s.example/x/y']);
    expect(code).toBe(1);
    expect(stdout).toContain('Short URL has the codes.\n');
    expect(stdout).toContain('Line 5, code https://s.example/x/y: no slash\n');
    expect((await readResults()).map((row) => row.code)).toEqual(codes);
  });

  test('asks for a yes before codes are lost', async () => {
    const csv = `Ref,url\nspring,${url}\nautumn,${url}\n`;

    const asked = await importCsv(csv);
    const agreed = await importCsv(csv, '--new-codes');

    expect(asked.code).toBe(2);
    expect(asked.stdout).toBe('');
    expect(asked.batches).toEqual([]);
    expect(asked.stderr).toMatch(
      /^error: The column Ref of [^\n]* may have the codes\. [^\n]* rename it to code\. [^\n]* add --new-codes\.\n$/,
    );
    expect(agreed.code).toBe(0);
    expect(agreed.stdout).toMatch(/^These columns aren't imported: Ref\.\n2 created, /);
    expect(agreed.batches).toMatchObject([[{ url }, { url }]]);
  });

  test('stops at the daily limit', async () => {
    quota = 130;

    const { code, stdout, batches } = await importCsv(makeCsv(450));

    expect(code).toBe(1);
    expect(batches.length).toBe(2);
    expect(stdout).toContain(
      "You've reached your daily limit. For the other 320 rows, repeat this tomorrow (UTC).\n",
    );
  });

  test('stops at an error of the API with one line, and the results so far stay', async () => {
    const { status, body } = { status: 429, body: { message: 'Try again in 20 seconds.' } };
    const accept = answer as (request: HttpRequest) => HttpResponse;
    answer = (request) => (requests.length < 2 ? accept(request) : { status, body });

    const { code, stderr } = await importCsv(makeCsv(110));

    expect(code).toBe(2);
    expect(stderr).toBe('error: Try again in 20 seconds.\n');
    expect(await readResults()).toHaveLength(100);
  });

  test('of a file with a fault is rejected in one line, before anything is sent', async () => {
    const { code, stdout, stderr, batches } = await importCsv(`${makeCsv(200)}a,b,c\n`);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(batches).toEqual([]);
    expect(stderr).toMatch(/^error: Expected line 202 of [^\n]*\n$/);
  });
});

test('show prints a link, even a deleted one, with its clicks by breakdown and day, in plain ASCII, without calling the API', async () => {
  const owner = 'anna\u001b[2J\u009b\u202e\n';
  await stack.table.put(
    {
      ...link('shown', 5),
      owner: `DELETED#${owner}`,
      disabled: true,
      disabledBy: 'operator',
      title: 'Sale\u202e',
      tags: ['a', 'b c'],
      deletedAt: '2026-05-27T10:00:00.000Z',
    },
    { ...dayOf('shown', '2026-05-25', 3), vb: 3, du: 3, rd: 3, h23: 3 },
    { ...dayOf('shown', '2026-05-26', 2), vh: 2, dm: 2, r1: 2, h09: 2, cc: 2 },
    { PK: 'LINK#shown', SK: 'VISITORS#2026-05-26', sketch: toBytes(new Set([1])) },
  );

  const { stdout } = await run('show', 'shown');
  const json = await run('show', 'shown', '--json');

  expect(stdout.split('\n')).toEqual([
    `shown has 5 clicks: 2 by people, 3 by bots (the local stack at ${api.url})`,
    '  leads to  https://example.com/',
    '  title     Sale\\u{202e}',
    '  tags      a, b c',
    '  owner     anna\\u{1b}[2J\\u{9b}\\u{202e}\\u{a}',
    '  created   2026-01-01T00:00:00.000Z',
    '  expires   never',
    '  disabled  by an operator',
    '  deleted   2026-05-27T10:00:00.000Z',
    '  visitors  about 1',
    '  visitor   bot 3, human 2',
    '  device    unknown 3, mobile 2',
    '  referrer  direct 3, google 2',
    '  hour      09 2, 23 3',
    '  country   unknown 3, DE 2',
    '  2026-05-25  3',
    '  2026-05-26  2 (about 1 visitor)',
    '',
  ]);
  expect(json.stdout).toMatch(/^[\n\x20-\x7e]*$/);
  expect(JSON.parse(json.stdout)).toMatchObject({ code: 'shown', url, owner, clicks: 5, bots: 3 });
  expect(requests).toEqual([]);
});

// Before codes couldn't start with a hyphen, an owner could choose one that looks like an option.
test.each(['target', '--help', '----'])(
  "an operator disables, sees and enables any user's link, such as %s",
  async (code) => {
    const owned = { ...link(code), owner: 'anna' };
    await stack.table.put(owned);

    const disabled = await run('disable', '--', code);
    const stored = await readItem(code);
    const shown = await run('show', '--json', '--', code);
    const enabled = await run('enable', '--', code);

    const name = `${code} of the local stack at ${api.url}`;
    expect(disabled).toEqual({
      code: 0,
      stdout: `${name} is disabled. Within ${urlCacheSeconds} seconds, visitors get 410, until an operator enables it.\n`,
      stderr: '',
    });
    expect(stored).toMatchObject({ disabled: true, disabledBy: 'operator' });
    expect(JSON.parse(shown.stdout)).toMatchObject({ code, disabled: true });
    expect(enabled.stdout).toBe(`${name} is enabled: visitors are redirected again.\n`);
    expect(await readItem(code)).toEqual({ ...owned, version: 2 });
  },
);

test('an operator sees that a purged link was taken down, and releases its code', async () => {
  const tombstone = { PK: 'LINK#kept', SK: 'META', purgedAt: '2026-05-26T10:00:00.000Z' };
  await stack.table.put({ ...tombstone, since: '9999', disabled: true, disabledBy: 'operator' });

  const shown = await run('show', 'kept');
  const enabled = await run('enable', 'kept');

  const name = `kept of the local stack at ${api.url}`;
  expect(shown.stderr).toBe(
    `error: ${name} was taken down, and then its owner deleted it. Nobody can use its code until an operator enables it.\n`,
  );
  expect(enabled.stdout).toBe(
    `${name} was deleted. Within a day, anyone can use its code again.\n`,
  );
  expect(await readItem('kept')).toEqual({ ...tombstone, since: '9999', version: 1 });
  // 90 days before: the next purge finds it.
  const deletion = '2026-02-25T10:00:00.000Z#kept';
  expect(await stack.table.get('DELETED', deletion)).toBeDefined();
});

test.each(['show', 'disable', 'enable'])(
  '%s reports a link that does not exist and does not create it',
  async (command) => {
    for (const code of ['absent', 'no/code']) {
      const line = `There is no link ${code} in the local stack at ${api.url}.`;
      expect(await run(command, code)).toEqual(mistake(line));
    }
    expect(await readItem('absent')).toBeUndefined();
  },
);
