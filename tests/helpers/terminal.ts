import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { createTestDir } from './test-dir.ts';

/** The command's prompts, and the keys to answer them with. */
export type Dialog = readonly (readonly [question: string, keys: string])[];

/**
 * Runs a command on its own terminal with stdout redirected, as in `TOKEN=$(...)`. Returns stdout and
 * the terminal's output.
 */
export async function runOnTerminal(
  script: string,
  args: string[],
  { environment, dialog }: { environment: NodeJS.ProcessEnv; dialog: Dialog },
) {
  await using dir = await createTestDir();
  const file = path.join(dir.path, 'stdout');
  const words = [process.execPath, path.join(projectDir, script), ...args];
  const command = `${words.map((word) => `'${word}'`).join(' ')} > '${file}'`;
  const child = spawn('script', scriptArgs(command), {
    env: { ...environment, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
  });
  const closed = once(child, 'close');
  for (const [question, keys] of dialog) {
    await expect.poll(() => shown, { timeout: 30_000 }).toContain(question);
    child.stdin.write(keys);
  }
  const [code] = await closed;
  return { code, stdout: await readFile(file, 'utf8'), shown: shown.replaceAll('\r', '') };
}

/** `script` takes the command as an option on Linux, and as arguments on macOS. */
function scriptArgs(command: string): string[] {
  return process.platform === 'darwin'
    ? ['-q', '/dev/null', 'sh', '-c', command]
    : ['--quiet', '--return', '--command', command, '/dev/null'];
}
