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

const wait = { timeout: 180_000, interval: 200 };
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

const listPrograms = () => findPrograms('LOCAL_START_TEST', startId);

async function start(environment: NodeJS.ProcessEnv = {}, ...args: string[]) {
  const command = startCommand('local/start.ts', args, {
    ...{ ...process.env, PORT: `${await findFreePort()}`, STACK_FILE: stackFile },
    ...{ TMPDIR: dir.path, LOCAL_START_TEST: startId, ...environment },
  });
  child = command.child;
  return command;
}

test("a second stack keeps a running stack's file, and Ctrl-C stops everything", async () => {
  const { child: first, ended, output } = await start();
  await expect.poll(output, wait).toContain('click-tally is ready');
  const file = await readFile(stackFile, 'utf8');
  const { api } = JSON.parse(file);

  const second = await (await start()).ended;

  const owner = `${stackFile} belongs to the stack at ${api}, which is running`;
  const stderr = `error: ${owner}. Set STACK_FILE to another file.\n`;
  expect(second).toEqual({ code: 2, stdout: '', stderr });
  expect(await readFile(stackFile, 'utf8')).toBe(file);

  first.kill('SIGINT');

  expect(await ended).toMatchObject({ code: 0 });
  expect(await listPrograms()).toEqual([]);
  expect(await readdir(dir.path)).toEqual(['stack.log']);
});

test('Ctrl-C while the functions are still starting stops everything', async () => {
  const { ended, output } = await start();
  const findFunctions = async () =>
    (await listPrograms()).some(({ commandLine }) => /^\S*node .*offline/.test(commandLine));
  await expect.poll(findFunctions, wait).toBe(true);

  child.kill('SIGINT');

  expect(await ended).toMatchObject({ code: 0 });
  expect(await listPrograms()).toEqual([]);
  expect(output()).toMatch(/\nStopping …\n$/);
});

test('Ctrl-C while the demo runs its tests on its own stack leaves nothing behind', async () => {
  const { ended, output } = await start({}, 'demo');
  await expect.poll(output, wait).toContain('created the link');

  child.kill('SIGINT');

  expect(await ended).toMatchObject({ code: 130 });
  expect(await listPrograms()).toEqual([]);
  expect(await readdir(dir.path)).toEqual([]);
});

test('a mistake is reported in one line, and nothing starts', async () => {
  const { port, stop } = await listen(createServer());
  const file = import.meta.filename;
  const mistakes: [NodeJS.ProcessEnv, string][] = [
    [{ PORT: `${port}` }, `Port ${port} is taken\\. .* npm start -- --port \\d+`],
    [{ PORT: 'http' }, 'PORT is "http"\\. Expected a number from 1 to 65535\\.'],
    [{ STACK_FILE: path.join(file, 'stack.json') }, `Cannot write ${file}.*`],
  ];

  for (const [variables, line] of mistakes) {
    const end = await (await start(variables)).ended;
    expect(end).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(`^error: ${line}\n$`),
    });
  }
  await stop();
});
