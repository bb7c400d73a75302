import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen } from '../../../cli/loopback/http-server.ts';
import { findFreePort } from '../../../cli/loopback/ports.ts';
import { startCommand } from '../../helpers/command.ts';
import { createTestDir } from '../../helpers/test-dir.ts';
import { findPrograms } from '../../helpers/test-stack.ts';

const wait = { timeout: 180_000, interval: 50 };
let dir: Awaited<ReturnType<typeof createTestDir>>;
let stackFile: string;
let startId: string;
let child: ChildProcess;

beforeEach(async () => {
  dir = await createTestDir();
  stackFile = path.join(dir.path, 'stack.json');
  startId = randomUUID();
});

afterEach(async () => {
  child.kill('SIGKILL');
  await expect.poll(listPrograms, wait).toEqual([]);
  await dir.remove();
});

function listPrograms() {
  return findPrograms('LOCAL_START_TEST', startId);
}

function start(port: number | string) {
  const command = startCommand('local/start.ts', [], {
    ...process.env,
    PORT: `${port}`,
    STACK_FILE: stackFile,
    TMPDIR: dir.path,
    LOCAL_START_TEST: startId,
  });
  child = command.child;
  return command;
}

test("a second stack keeps a running stack's file, and Ctrl-C stops everything", async () => {
  const port = await findFreePort();
  const { ended, output } = start(port);
  await expect.poll(output, wait).toContain('click-tally is ready');
  const file = await readFile(stackFile, 'utf8');
  const { api } = JSON.parse(file);
  expect(api).toBe(`http://127.0.0.1:${port}`);

  const second = startCommand('local/start.ts', ['--port', `${await findFreePort()}`], {
    ...process.env,
    STACK_FILE: stackFile,
  });

  expect(await second.ended).toMatchObject({ code: 2, stdout: '' });
  expect(second.output()).toBe(
    `error: ${stackFile} belongs to the stack at ${api}, which is running. Set STACK_FILE to another file.\n`,
  );
  expect(await readFile(stackFile, 'utf8')).toBe(file);

  child.kill('SIGINT');

  expect(await ended).toMatchObject({ code: 0 });
  expect(await listPrograms()).toEqual([]);
  expect(await readdir(dir.path)).toEqual(['stack.log']);
});

test('Ctrl-C while the functions are still starting stops everything', async () => {
  const { ended, output } = start(await findFreePort());
  const findFunctions = async () =>
    (await listPrograms()).some(({ commandLine }) => /^\S*node .*offline/.test(commandLine));
  await expect.poll(findFunctions, wait).toBe(true);

  child.kill('SIGINT');

  expect(await ended).toMatchObject({ code: 0 });
  expect(await listPrograms()).toEqual([]);
  expect(output()).toMatch(/\nStopping …\n$/);
});

test('a port in use is reported in one line, and nothing starts', async () => {
  const { port, stop } = await listen(createServer());

  const { ended, output } = start(port);

  expect(await ended).toMatchObject({ code: 2 });
  expect(output()).toMatch(
    RegExp(`^error: Port ${port} is taken\\. .* npm start -- --port \\d+\\n$`),
  );
  await stop();
});

test.each([
  ['an invalid port', { PORT: 'http' }, 'PORT is "http". Expected a number from 1 to 65535.\n'],
  [
    'a stack file in a folder that is a file',
    { STACK_FILE: path.join(import.meta.filename, 'stack.json') },
    `Cannot write ${import.meta.filename}`,
  ],
])('%s is reported in one line', async (_, variables, line) => {
  const {
    child: started,
    ended,
    output,
  } = startCommand('local/start.ts', [], {
    ...process.env,
    ...{ PORT: `${await findFreePort()}`, STACK_FILE: stackFile, ...variables },
  });
  child = started;

  expect(await ended).toMatchObject({ code: 2, stdout: '' });
  expect(output()).toMatch(/^error: [^\n]+\n$/);
  expect(output()).toContain(line);
});
