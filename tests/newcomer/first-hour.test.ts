import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '../../cli/loopback/ports.ts';
import { formatInstructions } from '../../local/instructions.ts';
import { startCommand } from '../helpers/command.ts';
import { paste } from '../helpers/shell.ts';
import { startTestStack } from '../helpers/test-stack.ts';

const wait = { timeout: 170_000, interval: 200 };
/** Output of a shell or a command that doesn't understand a line. */
const complaint =
  /not found|no matches|error|unknown (option|command)|unexpected|bad pattern|usage:/i;
let stack: Awaited<ReturnType<typeof startTestStack>>;
let environment: NodeJS.ProcessEnv;

// Like `npm start`, with 18 s instead of 90 s until a dead letter.
beforeAll(async () => {
  const port = await findFreePort();
  stack = await startTestStack({ port, params: { visibilityTimeoutSeconds: 6 } });
  environment = { STACK_FILE: stack.stackFile, PORT: `${port}` };
});

afterAll(() => stack.stop());

const start = (script: string, ...args: string[]) =>
  startCommand(script, args, { ...process.env, ...environment });

async function listDeadLetters() {
  return JSON.parse((await start('cli/dlq.ts', 'list', '--json').ended).stdout);
}

/** The indented commands that `npm start` prints. */
function readInstructions(): string {
  vi.stubEnv('STACK_FILE', stack.stackFile);
  const text = formatInstructions(stack.outputs);
  vi.unstubAllEnvs();
  return (text.match(/^ {2}\S.*$/gm) ?? []).join('\n');
}

/** The commands of Getting started that a newcomer pastes next to `npm start`. */
function readPage(): string {
  const page = readFileSync('docs/getting-started.md', 'utf8');
  const [, section = ''] = /## The three tests that matter\n(.*)/s.exec(page) ?? [];
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  return blocks.join('').replaceAll('http://127.0.0.1:3000', stack.outputs.api);
}

describe.concurrent('the first hour', () => {
  test('the commands of npm start and of Getting started have the promised results', async () => {
    const [printed, ofPage] = [readInstructions(), readPage()];

    const first = await paste(printed, {});
    const second = await paste(ofPage, environment);

    expect(first).not.toMatch(complaint);
    expect(second).not.toMatch(complaint);
    expect(second.match(/302 Found/g)).toHaveLength(3);
    const inBash = spawnSync('bash', ['-n'], { input: `${printed}\n${ofPage}`, encoding: 'utf8' });
    expect(inBash).toMatchObject({ status: 0, stderr: '' });
    await expect.poll(() => stack.readStats('docs'), wait).toMatchObject({ clicks: 2 });
    await expect
      .poll(() => stack.readStats('spring'), wait)
      .toMatchObject({
        clicks: 4,
        days: expect.arrayContaining([{ date: '2026-05-26', count: 1, people: 0, bots: 0 }]),
      });
    // The demo hides dead letters for a moment, too.
    await expect
      .poll(listDeadLetters, { ...wait, interval: 1_000 })
      .toEqual(
        expect.arrayContaining(
          ['names-no-link', 'bad-event-1'].map((clickId) =>
            expect.objectContaining({ clickId, reason: 'invalid-click' }),
          ),
        ),
      );
  });

  test('the demo checks the counts of a running stack, and exits with 1 if one is wrong', async ({
    onTestFailed,
  }) => {
    onTestFailed(() => console.error(readFileSync(stack.logFile, 'utf8')));
    const right = start('local/start.ts', 'demo');
    // It now waits for its dead letter.
    await expect.poll(right.output, wait).toContain('{"id":"demo-names-no-link');

    const wrong = start('local/start.ts', 'demo');
    await expect.poll(wrong.output, wait).toMatch(/created the link \w+/);
    const [, code] = /created the link (\w+)/.exec(wrong.output()) ?? [];
    await stack.dynamodb.send(
      new UpdateCommand({
        TableName: stack.outputs.tableName,
        Key: { PK: `LINK#${code}`, SK: 'META' },
        UpdateExpression: 'ADD clicks :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );

    const ends = [await right.ended, await wrong.ended];
    expect(ends).toEqual([
      { code: 0, stdout: expect.stringContaining('checks passed.'), stderr: expect.any(String) },
      { code: 1, stdout: expect.stringContaining('checks failed.'), stderr: expect.any(String) },
    ]);
    expect(right.output()).toContain('{"id":"demo-sent-twice');
  });
});
