import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../../cli/loopback/http-server.ts';
import { findFreePort } from '../../../cli/loopback/ports.ts';
import { startCommand } from '../../helpers/command.ts';
import { useTestDir } from '../../helpers/test-dir.ts';
import { findPrograms } from '../../helpers/test-stack.ts';

const wait = { timeout: 180_000, interval: 200 };
const startId = randomUUID();
const dir = useTestDir();
let child: ChildProcess;

afterEach(async () => {
  child.kill('SIGKILL');
  await expect.poll(listPrograms, wait).toEqual([]);
});

const listPrograms = () => findPrograms('LOCAL_START_TEST', startId);

function start(port: number) {
  const command = startCommand('local/start.ts', [], {
    ...{ ...process.env, PORT: `${port}`, STACK_FILE: path.join(dir.path, 'stack.json') },
    ...{ TMPDIR: dir.path, LOCAL_START_TEST: startId },
  });
  child = command.child;
  return command;
}

// The newcomer's test presses it when everything runs.
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

test('a taken port is reported in one line, and nothing starts', async () => {
  const { port, stop } = await listen(createServer());

  const end = await start(port).ended;

  const line = `^error: Port ${port} is taken\\. .* npm start -- --port \\d+\n$`;
  expect(end).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(line) });
  await stop();
});
