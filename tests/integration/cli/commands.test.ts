import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';

const { scripts } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8'));
/** Every npm script that runs a program of this project, with the program. */
const commands = Object.entries<string>(scripts).flatMap(([name, line]) => {
  const [, program] = /^exec node (\S+)$/.exec(line) ?? [];
  return program ? [[name, program] as const] : [];
});

function run(script: string, ...args: string[]) {
  const options = { cwd: projectDir, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options);
  return { status, stdout, stderr };
}

describe.each(commands)('npm run %s', (name, script) => {
  test('explains itself with --help', { timeout: 30_000 }, () => {
    const { status, stdout } = run(script, '--help');

    expect(status).toBe(0);
    expect(stdout).toMatch(RegExp(`^Usage: npm run ${name} -- .*\\n\\n[A-Z][\\s\\S]* --help `));
  });

  test('answers an unknown option with one line', { timeout: 30_000 }, () => {
    expect(run(script, '--unknown-option')).toEqual({
      status: 2,
      stdout: '',
      stderr: "error: unknown option '--unknown-option'. Add --help to see the options.\n",
    });
  });
});
