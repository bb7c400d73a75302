import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { runCommand, startCommand } from '../../helpers/command.ts';
import { mistake } from '../../helpers/operator.ts';

const { scripts } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8'));
/** The npm scripts that run a program of this project. */
const commands = Object.entries<string>(scripts).flatMap(([name, line]) => {
  const [, program] = /^exec node (\S+)$/.exec(line) ?? [];
  return program ? [[name, program] as const] : [];
});

/** Lines of a help that end although the next word fits into its 80 columns. */
function findEarlyBreaks(help: string): string[] {
  const lines = help.split('\n');
  return lines.filter((line, index) => {
    const [word = ''] = /^\S*/.exec(lines[index + 1] ?? '') ?? [];
    return line !== '' && word !== '' && `${line} ${word}`.length <= 80;
  });
}

describe.each(commands)('npm run %s', (name, script) => {
  test('prints its usage with --help, in paragraphs that fill their lines', async () => {
    const isOperators = script.startsWith('cli/');
    const { code, stdout } = isOperators
      ? await runCommand(script, ['--help'], process.env)
      : await startCommand(script, ['--help']).ended;

    expect(code).toBe(0);
    expect(stdout).toMatch(RegExp(`^Usage: npm run ${name} -- .*\\n\\n[A-Z][\\s\\S]* --help `));
    expect(findEarlyBreaks(stdout)).toEqual([]);
  });

  test.runIf(script.startsWith('cli/'))('reports an unknown option in one line', async () => {
    const line = "unknown option '--unknown-option'. Add --help to see the options.";
    expect(await runCommand(script, ['--unknown-option'], process.env)).toEqual(mistake(line));
  });
});

test("an option that npm took for itself is an error, because the command wouldn't see it", async () => {
  const environment = { ...process.env, npm_lifecycle_event: 'dlq', npm_config_dry_run: 'true' };

  expect(await startCommand('cli/dlq.ts', ['redrive'], environment).ended).toEqual(
    mistake(
      'Expected options after "--"; npm took --dry-run as its own. Use: npm run dlq -- … --dry-run …',
    ),
  );
});
