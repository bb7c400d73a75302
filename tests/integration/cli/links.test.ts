import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpRequest, startHttpServer } from '../../../local/engines/http-server.ts';
import { startOperatorCommand } from '../../helpers/operator.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

const requests: HttpRequest[] = [];
let answer: { status: number; body: object };
let api: Awaited<ReturnType<typeof startHttpServer>>;
let outputs: object;
let dir: Awaited<ReturnType<typeof createTestDir>>;

beforeAll(async () => {
  dir = await createTestDir();
  api = await startHttpServer(async (request) => {
    requests.push(request);
    return answer;
  });
  outputs = {
    ...{
      api: api.url,
      token: 'a-token',
      otherToken: 'another',
      region: 'us-east-1',
      pid: process.pid,
    },
    ...{ dynamodbEndpoint: api.url, sqsEndpoint: api.url, eventsEndpoint: api.url },
    ...{ clickQueueUrl: api.url, clickDlqUrl: api.url, tableName: 'T', busName: 'B' },
  };
  await writeFile(path.join(dir.path, 'stack.json'), JSON.stringify(outputs));
});

afterAll(async () => {
  await api.stop();
  await dir.remove();
});

function run(args: string[]) {
  requests.length = 0;
  const STACK_FILE = path.join(dir.path, 'stack.json');
  return startOperatorCommand('links.ts', args, { STACK_FILE }).ended;
}

test('create asks the API with the token of the stack, and prints the short link', async () => {
  answer = { status: 201, body: { code: 'spring', url: 'https://example.com/' } };

  const { code, stdout } = await run(['create', 'https://example.com/', '--code', 'spring']);

  expect(code).toBe(0);
  expect(stdout).toBe(`${api.url}/spring leads to https://example.com/\n`);
  expect(requests.filter(({ path }) => path !== '/')).toMatchObject([
    {
      path: '/links',
      headers: { authorization: 'Bearer a-token' },
      body: '{"url":"https://example.com/","code":"spring"}',
    },
  ]);
});

test('show prints the clicks by day', async () => {
  const days = [{ date: '2026-05-26', count: 2 }];
  answer = { status: 200, body: { code: 'spring', url: 'https://example.com/', clicks: 2, days } };

  const { stdout } = await run(['show', 'spring']);

  expect(stdout).toBe(`spring has 2 clicks (the local stack at ${api.url})\n  2026-05-26  2\n`);
});

test("the API's refusal is one line", async () => {
  answer = { status: 404, body: { message: 'There is no link with the code "nope".' } };

  expect(await run(['show', 'nope'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: The API of the local stack at ${api.url} answered 404: There is no link with the code "nope".\n`,
  });
});

test('a stack that has ended without removing its file is one line', async () => {
  const { child, ended } = startOperatorCommand('links.ts', ['--help'], {});
  await ended;
  const STACK_FILE = path.join(dir.path, 'ended.json');
  await writeFile(STACK_FILE, JSON.stringify({ ...outputs, pid: child.pid }));

  const { code, stderr } = await startOperatorCommand('links.ts', ['show', 'x'], { STACK_FILE })
    .ended;

  expect(code).toBe(2);
  expect(stderr).toBe(
    `error: No local stack is running (${STACK_FILE} names one that has ended). Start it with npm start, or name a --stage.\n`,
  );
});
