import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../cli/loopback/ports.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { formatInstructions } from '../../local/instructions.ts';
import { startCommand } from '../helpers/command.ts';
import { isInstalled, paste, type Shell, shells } from '../helpers/shell.ts';
import { startTestStack } from '../helpers/test-stack.ts';

const wait = { timeout: 170_000, interval: 500 };
/** Output of a shell or a command that doesn't understand a line. */
const complaint =
  /not found|no matches|error|unknown (option|command)|unexpected|bad pattern|usage:/i;

/** The commands of Getting started that a newcomer pastes next to `npm start`. */
function readBlocks(): string {
  const page = readFileSync(path.join(projectDir, 'docs/getting-started.md'), 'utf8');
  const [, section = ''] = /## The three tests that matter\n(.*)/s.exec(page) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block).join('');
}

/** Starts the stack of `npm start` on its own port. Returns the text that `npm start` prints, too. */
async function startAsNewcomer() {
  const port = await findFreePort();
  // 18 s instead of 90 s until a dead letter.
  const stack = await startTestStack({ port, params: { visibilityTimeoutSeconds: 6 } });
  onTestFinished(stack.stop);
  const environment = { STACK_FILE: stack.stackFile, PORT: `${port}` };
  vi.stubEnv('STACK_FILE', stack.stackFile);
  onTestFinished(() => void vi.unstubAllEnvs());
  const printed = formatInstructions(stack.outputs).match(/^ {2}\S.*$/gm) ?? [];
  const run = async (script: string, ...args: string[]) => {
    const command = startCommand(`cli/${script}`, args, { ...process.env, ...environment });
    return JSON.parse((await command.ended).stdout);
  };
  return { port, environment, printed: printed.join('\n'), run };
}

describe.each(shells)('in %s', (shell: Shell) => {
  test.skipIf(!isInstalled(shell))(
    'the commands of npm start and of Getting started have the promised results',
    async () => {
      const stack = await startAsNewcomer();
      const blocks = readBlocks().replaceAll('127.0.0.1:3000', `127.0.0.1:${stack.port}`);

      const first = await paste(shell, stack.printed, {});
      const second = await paste(shell, blocks, stack.environment);

      expect(first).not.toMatch(complaint);
      expect(second).not.toMatch(complaint);
      expect(second.match(/302 Found/g)).toHaveLength(3);
      await expect
        .poll(() => stack.run('links.ts', 'show', 'docs', '--json'), wait)
        .toMatchObject({ clicks: 2 });
      await expect
        .poll(() => stack.run('links.ts', 'show', 'spring', '--json'), wait)
        .toMatchObject({
          clicks: 4,
          days: expect.arrayContaining([{ date: '2026-05-26', count: 1, people: 0, bots: 0 }]),
        });
      await expect.poll(() => stack.run('dlq.ts', 'list', '--json'), wait).toHaveLength(2);
      expect(await stack.run('dlq.ts', 'list', '--json')).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ clickId: 'names-no-link', reason: 'invalid-click' }),
          expect.objectContaining({ clickId: 'bad-event-1', reason: 'invalid-click' }),
        ]),
      );
    },
  );
});
