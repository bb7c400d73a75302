import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { projectDir } from '../../local/engines/serverless.ts';

/** Interactive, because only then does a shell read pasted lines by the rules for people. */
const interactive = { bash: ['--norc', '-i'], zsh: ['-f', '-i'] };

export type Shell = keyof typeof interactive;

export const shells = Object.keys(interactive) as Shell[];

export function isInstalled(shell: Shell): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

/** Pastes lines into a shell, in the folder of the project, and returns what appears. */
export async function paste(
  shell: Shell,
  lines: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  // In a session of its own, the shell cannot take over the terminal of the tests.
  const child = spawn(shell, interactive[shell], {
    cwd: projectDir,
    env: { ...process.env, ...environment, HISTFILE: '/dev/null' },
    detached: true,
  });
  child.stdin.end(`${lines}\nexit\n`);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return stdout + stderr;
}
