import { describe, expect, test } from 'vitest';
import { startCommand } from '../../helpers/command.ts';

const commands = [
  'local/start.ts',
  'local/demo.ts',
  'cli/dlq.ts',
  'cli/verify.ts',
  'tests/e2e/run.ts',
];

describe.each(commands)('%s', (script) => {
  test('explains itself with --help', { timeout: 30_000 }, async () => {
    const { code, stdout } = await startCommand(script, ['--help']).ended;

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: npm run \w+ -- .*\n\n[A-Z][\s\S]* --help /);
  });

  test('answers an unknown option with one line', { timeout: 30_000 }, async () => {
    expect(await startCommand(script, ['--unknown-option']).ended).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: unknown option '--unknown-option'. Add --help to see the options.\n",
    });
  });
});
