import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { projectDir } from '../../local/engines/serverless.ts';

/** Starts a command in its own process, as npm does, and collects its output. */
export function startCommand(
  script: string,
  args: string[] = [],
  environment: NodeJS.ProcessEnv = process.env,
) {
  const child = spawn(process.execPath, [path.join(projectDir, script), ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '', all: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      printed[name] += text;
      printed.all += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    const { stdout, stderr } = printed;
    return { code: (code ?? signal) as number | string, stdout, stderr };
  });
  return { child, ended, output: () => printed.all };
}
