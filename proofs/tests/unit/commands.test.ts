import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { startCommand } from '../../../tests/helpers/command.ts';

const read = (file: string) => readFileSync(path.join(projectDir, 'proofs', file), 'utf8');
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
/** The npm scripts that run a program. */
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, program] = /exec node (\S+)$/.exec(line) ?? [];
  return program ? [{ name, program }] : [];
});

test.each(commands)(
  '$name prints its usage with --help, and README.md names it',
  async ({ name, program }) => {
    const { code, stdout } = await startCommand(program, ['--help']).ended;

    expect(stdout).toContain(`Usage: npm --prefix proofs run ${name} -- [options]`);
    expect(code).toBe(0);
    expect(read('README.md')).toContain(`\`${name}`);
  },
);
