import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startChild } from '../../../local/engines/child-process.ts';

const wait = { timeout: 10_000, interval: 20 };

/** Tells whether a process runs. A zombie has no command line. */
async function isRunning(pid: number): Promise<boolean> {
  // macOS has no /proc, and its first process leaves no zombies.
  if (process.platform !== 'linux') return spawnSync('ps', ['-p', `${pid}`]).status === 0;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine !== '';
}

test('stopping ends the program and its children, even if they ignore signals', async () => {
  const child = startChild('sh', ['-c', 'trap "" TERM INT; sleep 60 & echo $!; wait']);
  await expect.poll(child.output, wait).toMatch(/^\d+\n$/);
  const grandchild = Number(child.output());
  expect(await isRunning(grandchild)).toBe(true);

  await child.stop();

  expect(child.output()).toBe(`${grandchild}\n`);
  await expect.poll(() => isRunning(grandchild), wait).toBe(false);
});
