import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startChild } from '../../../local/engines/child-process.ts';

const wait = { timeout: 10_000, interval: 20 };

/** Whether it runs; what has ended and is not yet collected has no command line. */
async function isRunning(pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine !== '';
}

test('a program that ends gives its exit code and what it wrote', async () => {
  const child = startChild('sh', ['-c', 'echo out; echo err >&2; exit 3']);

  expect(await child.exited).toBe(3);
  expect(child.output().split('\n').sort()).toEqual(['', 'err', 'out']);
});

test('a program that does not exist is a failure, told by the shell', async () => {
  const child = startChild('no-such-program', []);

  expect(await child.exited).toBe(127);
  expect(child.output()).toContain('no-such-program');
});

test('a stop ends the program and what it started, signals ignored or not', async () => {
  const child = startChild('sh', ['-c', 'trap "" TERM INT; sleep 60 & echo $!; wait']);
  await expect.poll(child.output, wait).toMatch(/^\d+\n$/);
  const grandchild = Number(child.output());
  expect(await isRunning(grandchild)).toBe(true);

  await child.stop();

  expect(child.output()).toBe(`${grandchild}\n`);
  await expect.poll(() => isRunning(grandchild), wait).toBe(false);
});

test('a second stop, or one after the end, has nothing to do', async () => {
  const child = startChild('true', []);
  expect(await child.exited).toBe(0);

  await child.stop();
  await child.stop();
});
