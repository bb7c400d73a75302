import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { projectDir } from '../../local/engines/serverless.ts';

/** Interactive shells read pasted lines differently from scripts. */
const interactive = { bash: ['--norc', '-i'], zsh: ['-f', '-i'] };

export type Shell = keyof typeof interactive;

export const shells = Object.keys(interactive) as Shell[];

export function isInstalled(shell: Shell): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

/** Pastes lines into a shell in the project's folder and returns the output. */
export async function paste(
  shell: Shell,
  lines: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  // In its own session, the shell can't take over the tests' terminal.
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
