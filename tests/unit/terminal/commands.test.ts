import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const projectDir = path.resolve(import.meta.dirname, '../../..');
const commands = [
  'local/start.ts',
  'local/demo.ts',
  'cli/dlq.ts',
  'cli/verify.ts',
  'tests/e2e/run.ts',
];

function run(script: string, ...args: string[]) {
  const options = { cwd: projectDir, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options);
  return { status, stdout, stderr };
}

describe.each(commands)('%s', (script) => {
  test('explains itself with --help', { timeout: 30_000 }, () => {
    const { status, stdout } = run(script, '--help');

    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: npm run \w+ -- .*\n\n[A-Z][\s\S]* --help /);
  });

  test('answers an unknown option with one line', { timeout: 30_000 }, () => {
    expect(run(script, '--unknown-option')).toEqual({
      status: 2,
      stdout: '',
      stderr: "error: unknown option '--unknown-option'. Add --help to see the options.\n",
    });
  });
});
