import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePort } from '../../../local/engines/ports.ts';
import { findPrograms } from '../../helpers/local-stack.ts';

const startScript = path.resolve(import.meta.dirname, '../../../local/start.ts');
const wait = { timeout: 60_000, interval: 50 };
let dir: string;
let stackFile: string;
let startId: string;
let child: ChildProcess;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'click-tally-test-'));
  stackFile = path.join(dir, 'stack.json');
  startId = randomUUID();
});

afterEach(async () => {
  child.kill('SIGKILL');
  await expect.poll(listPrograms, wait).toEqual([]);
  await rm(dir, { recursive: true });
});

function listPrograms() {
  return findPrograms('LOCAL_START_TEST', startId);
}

/** What `npm start` does, with its output collected. */
function start(port: number) {
  const env = {
    ...process.env,
    PORT: `${port}`,
    STACK_FILE: stackFile,
    TMPDIR: dir,
    LOCAL_START_TEST: startId,
  };
  child = spawn(process.execPath, [startScript], { env });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return { exited, output: () => output };
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends everything', async (signal) => {
  const port = await findFreePort();
  const { exited, output } = start(port);
  await expect.poll(output, wait).toContain('click-tally is ready');
  const outputs = JSON.parse(await readFile(stackFile, 'utf8'));
  expect(outputs.api).toBe(`http://127.0.0.1:${port}`);

  child.kill(signal);

  expect(await exited).toEqual([0, null]);
  expect(await listPrograms()).toEqual([]);
  expect(await readdir(dir)).toEqual(['functions.log']);
});

test('Ctrl-C while the functions are still starting ends everything', async () => {
  const { exited, output } = start(await findFreePort());
  const findFunctions = async () =>
    (await listPrograms()).some(({ commandLine }) => /^\S*node .*offline/.test(commandLine));
  await expect.poll(findFunctions, wait).toBe(true);

  child.kill('SIGINT');

  expect(await exited).toEqual([0, null]);
  expect(await listPrograms()).toEqual([]);
  expect(output()).toMatch(/\nStopping …\n$/);
});

test('nothing outlives a start that is killed', async () => {
  const { output } = start(await findFreePort());
  await expect.poll(output, wait).toContain('click-tally is ready');

  child.kill('SIGKILL');

  await expect.poll(listPrograms, wait).toEqual([]);
});

test('a taken port is said in one line, and nothing is started', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;

  const { exited, output } = start(port);

  expect(await exited).toEqual([1, null]);
  expect(output()).toMatch(RegExp(`^✖ Port ${port} is taken\\. .* PORT=\\d+ npm start\\n$`));
  server.close();
});

test('a port that is none is said in one line', async () => {
  const { exited, output } = start(Number.NaN);

  expect(await exited).toEqual([1, null]);
  expect(output()).toBe('✖ PORT must be a number from 1 to 65535, but it is "NaN".\n');
});
