import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpRequest, startHttpServer } from '../../../cli/loopback/http-server.ts';
import { urlCacheSeconds } from '../../../lib/links/link-update.ts';
import { dayOf, link } from '../../helpers/items.ts';
import {
  runOperatorCommand,
  startOperatedStack,
  startOperatorCommand,
} from '../../helpers/operator.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

const url = 'https://example.com/';
const requests: HttpRequest[] = [];
interface Answer {
  status: number;
  /** Text is CSV. */
  body: object | string;
  headers?: Record<string, string>;
}

let answer: Answer | ((request: HttpRequest) => Answer);
let api: Awaited<ReturnType<typeof startHttpServer>>;
let stack: Awaited<ReturnType<typeof startOperatedStack>>;
let dir: Awaited<ReturnType<typeof createTestDir>>;

beforeAll(async () => {
  dir = await createTestDir();
  stack = await startOperatedStack();
  api = await startHttpServer(async (request) => {
    requests.push(request);
    return typeof answer === 'function' ? answer(request) : answer;
  });
  await writeStackFile('stack.json', process.pid);
});

afterAll(async () => {
  await api.stop();
  await stack.stop();
  await dir.remove();
});

/** Writes the stack file, with this test's own API. */
function writeStackFile(name: string, pid?: number) {
  const content = { ...stack.outputs, api: api.url, token: 'a-token', pid };
  return writeFile(path.join(dir.path, name), JSON.stringify(content));
}

function run(args: string[]) {
  requests.length = 0;
  const STACK_FILE = path.join(dir.path, 'stack.json');
  return runOperatorCommand('links.ts', args, { STACK_FILE });
}

/** A link as the API describes it. */
const apiLink = {
  ...{ code: 'spring', shortUrl: 'https://go.example.com/spring', url, clicks: 12 },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', people: 7, bots: 4, disabled: false },
};

const readItem = (code: string) => stack.table.get(`LINK#${code}`, 'META');

const asked = () => requests.filter(({ path }) => path !== '/');
const later = '2035-01-01T00:00:00.000Z';

test.each([
  ['create', [url, '--code', 'spring'], 'POST', { url, code: 'spring' }, undefined],
  ['edit', ['spring', '--url', url], 'PATCH', { url }, undefined],
  ['edit', ['spring', '--expires', later], 'PATCH', { expiresAt: later }, later],
  ['edit', ['spring', '--expires', 'never'], 'PATCH', { expiresAt: null }, undefined],
])('%s %j calls the API and prints the link', async (command, args, method, body, expiresAt) => {
  const shortUrl = `${api.url}/spring`;
  answer = {
    status: command === 'create' ? 201 : 200,
    body: { ...apiLink, shortUrl, ...(expiresAt && { expiresAt }) },
  };

  const { code, stdout } = await run([command, ...args]);

  const expiry = expiresAt ? `, until ${expiresAt}` : '';
  expect([code, stdout]).toEqual([0, `${shortUrl} leads to ${url}${expiry}\n`]);
  expect(asked()).toMatchObject([
    { method, headers: { authorization: 'Bearer a-token' }, body: JSON.stringify(body) },
  ]);
  expect(asked()[0]?.path).toBe(command === 'create' ? '/links' : '/links/spring');
});

test("the API's error is printed in one line", async () => {
  answer = { status: 409, body: { message: 'The code spring is taken.' } };

  expect(await run(['create', url, '--code', 'spring'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: The API of the local stack at ${api.url} answered 409: The code spring is taken.\n`,
  });
});

test('list prints the links of every page, with their state or as a JSON object on each line', async () => {
  const expired = {
    ...apiLink,
    code: 'autumn',
    expiresAt: '2026-01-02T00:00:00.000Z',
    disabled: true,
  };
  const first = { links: [apiLink], cursor: 'c3ByaW5n' };
  answer = ({ path }) => ({
    status: 200,
    body: path.includes('cursor=') ? { links: [expired] } : first,
  });

  const json = await run(['list', '--json']);
  const { stdout } = await run(['list']);

  const lines = json.stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([apiLink, expired]);
  expect(stdout).toBe(
    'code         by people   by bots    clicks  destination\n' +
      `spring               7         4        12  ${url}\n` +
      `autumn               7         4        12  ${url}, disabled, expired 2026-01-02T00:00:00.000Z\n`,
  );
  expect(asked().map(({ path }) => path)).toEqual([
    '/links?limit=100',
    '/links?limit=100&cursor=c3ByaW5n',
  ]);
});

describe('export', () => {
  const header = 'code,shortUrl,url\n';

  test('writes the pages of the API into one file', async () => {
    const next = '</links?format=csv&limit=100&cursor=c3ByaW5n>; rel="next"';
    answer = ({ path }) =>
      path.includes('cursor=')
        ? { status: 200, body: 'autumn,b,c\n' }
        : { status: 200, body: `${header}spring,b,c\n`, headers: { link: next } };
    const file = path.join(dir.path, 'links.csv');

    const { code, stdout } = await run(['export', '--output', file]);

    expect([code, stdout]).toEqual([0, '']);
    expect(await readFile(file, 'utf8')).toBe(`${header}spring,b,c\nautumn,b,c\n`);
    expect(asked().map(({ path }) => path)).toEqual([
      '/links?format=csv&limit=100',
      '/links?format=csv&limit=100&cursor=c3ByaW5n',
    ]);
  });

  test('prints the links of all pages as one JSON array, which may be empty', async () => {
    const links = ['spring', 'autumn'].map((code) => ({ ...apiLink, code }));
    const pages: object[] = [
      { links: [] },
      { links: [links[1]] },
      { links: [links[0]], cursor: 'c' },
    ];
    answer = ({ path }) => ({ status: 200, body: (path === '/' ? {} : pages.pop()) ?? {} });
    const print = async () => JSON.parse((await run(['export', '--format', 'json'])).stdout);

    expect([await print(), await print()]).toEqual([links, []]);
  });

  test("prints one link's days", async () => {
    answer = { status: 200, body: 'date,clicks\n2026-05-26,3\n' };

    const { stdout } = await run(['export', 'spring', '--from', '2026-05-01']);

    expect(stdout).toBe('date,clicks\n2026-05-26,3\n');
    expect(requests.at(-1)?.path).toBe('/links/spring/stats?format=csv&from=2026-05-01');
  });
});

describe('show', () => {
  test("escapes control characters in a link's fields", async () => {
    const text = '\u001b[2J\u009b\u202e\u2028\nno';
    await stack.table.put({ ...link('odd-link'), url: `https://example.com/${text}`, owner: text });

    const shown = await run(['show', 'odd-link']);
    const json = await run(['show', 'odd-link', '--json']);

    const escaped = '\\u{1b}[2J\\u{9b}\\u{202e}\\u{2028}\\u{a}no';
    expect(shown.stdout).toContain(`leads to  https://example.com/${escaped}\n`);
    expect(`${shown.stdout}${json.stdout}`).toMatch(/^[\n\x20-\x7e]*$/);
    expect(JSON.parse(json.stdout)).toMatchObject({ owner: text });
  });

  test('prints a link with its clicks by breakdown and day, without calling the API', async () => {
    await stack.table.put(
      { ...link('shown', 5), owner: 'anna', disabled: true, disabledBy: 'operator' },
      { ...dayOf('shown', '2026-05-25', 3), vb: 3, du: 3, rd: 3, h23: 3 },
      { ...dayOf('shown', '2026-05-26', 2), vh: 2, dm: 2, r01: 2, h09: 2, cc: 2 },
    );

    const { stdout } = await run(['show', 'shown']);
    const json = await run(['show', 'shown', '--json']);

    expect(stdout).toContain(
      `shown has 5 clicks: 2 by people, 3 by bots (the local stack at ${api.url})\n`,
    );
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        '  leads to  https://example.com/',
        '  owner     anna',
        '  created   2026-01-01T00:00:00.000Z',
        '  expires   never',
        '  disabled  by an operator',
        '  visitor   bot 3, human 2',
        '  device    unknown 3, mobile 2',
        '  referrer  direct 3, google 2',
        '  hour      09 2, 23 3',
        '  country   unknown 3, DE 2',
        '  2026-05-25  3',
        '  2026-05-26  2',
      ]),
    );
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ code: 'shown', url, owner: 'anna', disabledBy: 'operator', clicks: 5, bots: 3 },
      days: [
        { date: '2026-05-25', count: 3, people: 0, bots: 3 },
        { date: '2026-05-26', count: 2 },
      ],
      breakdowns: {
        visitor: [
          { name: 'bot', count: 3 },
          { name: 'human', count: 2 },
        ],
      },
    });
    expect(requests).toEqual([]);
  });
});

test("an operator disables and enables any user's link", async () => {
  await stack.table.put({ ...link('target'), owner: 'anna' });

  const disabled = await run(['disable', 'target']);
  const stored = await readItem('target');
  const enabled = await run(['enable', 'target']);

  const name = `target of the local stack at ${api.url}`;
  expect(disabled).toEqual({
    code: 0,
    stdout: `${name} is disabled. Within ${urlCacheSeconds} seconds, visitors get 410, until an operator enables it.\n`,
    stderr: '',
  });
  expect(stored).toMatchObject({ disabled: true, disabledBy: 'operator' });
  expect(enabled.stdout).toBe(`${name} is enabled: visitors are redirected again.\n`);
  expect(await readItem('target')).toEqual({ ...link('target'), owner: 'anna' });
});

// Before codes couldn't start with a hyphen, an owner could choose one that looks like an option.
test.each(['--help', '----'])(
  'an operator takes down a link with the code %s, and sees it',
  async (code) => {
    await stack.table.put({ ...link(code), owner: 'anna' });

    const disabled = await run(['disable', '--', code]);
    const shown = await run(['show', '--json', '--', code]);

    expect([disabled.code, disabled.stderr]).toEqual([0, '']);
    expect(await readItem(code)).toMatchObject({ disabled: true, disabledBy: 'operator' });
    expect(JSON.parse(shown.stdout)).toMatchObject({ code, disabled: true });
  },
);

test.each(['show', 'disable', 'enable'])(
  '%s reports a link that does not exist and does not create it',
  async (command) => {
    for (const code of ['absent', 'no/code']) {
      expect(await run([command, code])).toEqual({
        code: 2,
        stdout: '',
        stderr: `error: There is no link ${code} in the local stack at ${api.url}.\n`,
      });
    }
    expect(await readItem('absent')).toBeUndefined();
  },
);

test('a stack file left behind by a crashed stack is reported in one line', async () => {
  const { child, ended } = startOperatorCommand('links.ts', ['--help'], {});
  await ended;
  const STACK_FILE = path.join(dir.path, 'ended.json');
  await writeStackFile('ended.json', child.pid);

  const { code, stderr } = await runOperatorCommand('links.ts', ['show', 'x'], { STACK_FILE });

  expect(code).toBe(2);
  expect(stderr).toBe(
    `error: No local stack is running (the stack in ${STACK_FILE} has ended). Start it with npm start, or choose a --stage.\n`,
  );
});
