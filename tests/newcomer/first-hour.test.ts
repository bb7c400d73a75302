import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { findFreePort } from '../../loopback/ports.ts';
import { startCommand } from '../helpers/command.ts';
import { paste } from '../helpers/shell.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { findPrograms } from '../helpers/test-stack.ts';

const wait = { timeout: 170_000, interval: 200 };
/** Each of these starts a command. */
const slowly = { timeout: 170_000, interval: 5_000 };
/** Output of a shell or a command that doesn't understand a line. */
const complaint =
  /not found|no matches|error|unknown (option|command)|unexpected|bad pattern|usage:/i;
let dir: Awaited<ReturnType<typeof createTestDir>>;
let environment: NodeJS.ProcessEnv;
let stack: ReturnType<typeof startCommand>;

const run = (script: string, ...args: string[]) =>
  startCommand(script, args, { ...process.env, ...environment });

/** The environment of a stack that keeps its files in a folder. */
const isolate = async (folder: string) => ({
  PORT: `${await findFreePort()}`,
  STACK_FILE: path.join(folder, 'stack.json'),
  TMPDIR: folder,
  LOCAL_START_TEST: randomUUID(),
});
const listPrograms = ({ LOCAL_START_TEST = '' }: NodeJS.ProcessEnv) =>
  findPrograms('LOCAL_START_TEST', LOCAL_START_TEST);

// `npm start` prints its instructions once it is ready. Then, a message becomes a dead letter after 18 s
// instead of 90 s.
beforeAll(async () => {
  dir = await createTestDir();
  environment = await isolate(dir.path);
  stack = run('local/start.ts');
  await vi.waitFor(() => expect(stack.output()).toContain('Ctrl-C stops the stack'), wait);
  const { sqsEndpoint, clickQueueUrl } = JSON.parse(
    await readFile(`${environment.STACK_FILE}`, 'utf8'),
  );
  const sqs = new SQSClient(localClientConfig(sqsEndpoint));
  const Attributes = { VisibilityTimeout: '6' };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl: clickQueueUrl, Attributes }));
  sqs.destroy();
});

afterAll(async () => {
  stack.child.kill('SIGINT');
  await stack.ended;
  await dir.remove();
});

const listDeadLetters = async () =>
  JSON.parse((await run('cli/dlq.ts', 'list', '--json').ended).stdout);
const readStats = async (code: string) =>
  JSON.parse((await run('cli/links.ts', 'show', code, '--json').ended).stdout);

/** The indented commands that `npm start` printed. */
const readInstructions = () => (stack.output().match(/^ {2}\S.*$/gm) ?? []).join('\n');

/** The commands of Getting started that a newcomer pastes next to `npm start`. */
async function readPage(): Promise<string> {
  const page = await readFile('docs/getting-started.md', 'utf8');
  const [, section = ''] = /## The three tests that matter\n(.*)/s.exec(page) ?? [];
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  return blocks.join('').replaceAll('127.0.0.1:3000', `127.0.0.1:${environment.PORT}`);
}

describe.concurrent('the first hour', () => {
  test('the commands of npm start and of Getting started have the promised results', async ({
    expect,
  }) => {
    const printed = readInstructions();
    const ofPage = await readPage();

    const first = await paste(printed, {});
    const second = await paste(ofPage, environment);

    expect(first).not.toMatch(complaint);
    expect(second).not.toMatch(complaint);
    expect(second.match(/302 Found/g)).toHaveLength(3);
    const inBash = spawnSync('bash', ['-n'], { input: `${printed}\n${ofPage}`, encoding: 'utf8' });
    expect(inBash).toMatchObject({ status: 0, stderr: '' });
    await expect.poll(() => readStats('docs'), slowly).toMatchObject({ clicks: 2 });
    await expect
      .poll(() => readStats('spring'), slowly)
      .toMatchObject({
        clicks: 4,
        days: expect.arrayContaining([{ date: '2026-05-26', count: 1, people: 0, bots: 0 }]),
      });
  });

  test('the demo checks the counts of a running stack', async ({ expect }) => {
    const { ended, output } = run('local/start.ts', 'demo');

    expect(await ended).toMatchObject({ code: 0 });
    expect(output()).toMatch(/All \d+ checks passed\./);
    expect(output()).toContain('{"id":"demo-sent-twice-');
  });

  test('the demo takes the home Region away, and its links redirect', async ({ expect }) => {
    const { ended, output } = run('local/start.ts', 'demo', '--standby');

    expect(await ended).toMatchObject({ code: 0 });
    expect(output()).toContain('All 7 checks passed.');
    expect(output()).toMatch(
      /Links can't be created, because only the home Region has the API: .*504/,
    );
  });

  test('a taken port is reported in one line, and nothing starts', async ({ expect }) => {
    const line = /^error: Port \d+ is taken\. .* npm start -- --port \d+\n$/;

    const end = await run('local/start.ts').ended;

    expect(end).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(line) });
  });

  test("a second stack keeps a running stack's file", async ({ expect }) => {
    const { STACK_FILE = '' } = environment;
    const file = await readFile(STACK_FILE, 'utf8');
    const { api } = JSON.parse(file);
    const PORT = `${await findFreePort()}`;

    const second = startCommand('local/start.ts', [], { ...process.env, ...environment, PORT });

    const owner = `${STACK_FILE} belongs to the stack at ${api}, which is running`;
    const stderr = `error: ${owner}. Set STACK_FILE to another file.\n`;
    expect(await second.ended).toEqual({ code: 2, stdout: '', stderr });
    expect(await readFile(STACK_FILE, 'utf8')).toBe(file);
  });
});

test('clicks that do not count are dead letters with a reason', async () => {
  const letters = [/^names-no-link$/, /^bad-event-1$/, /^demo-names-no-link-/].map((id) =>
    expect.objectContaining({ clickId: expect.stringMatching(id), reason: 'invalid-click' }),
  );

  // The demo and `dlq list` hide dead letters for a moment.
  await expect.poll(listDeadLetters, slowly).toEqual(expect.arrayContaining(letters));
});

test.runIf(process.platform === 'linux')('Ctrl-C stops everything', async () => {
  stack.child.kill('SIGINT');

  expect(await stack.ended).toMatchObject({ code: 0 });
  expect(await listPrograms(environment)).toEqual([]);
  expect(await readdir(dir.path)).toEqual(['stack.log']);
});

test.runIf(process.platform === 'linux')(
  'Ctrl-C while the functions are still starting stops everything',
  async () => {
    await using own = await createTestDir();
    const variables = { ...process.env, ...(await isolate(own.path)) };
    const { child, ended, output } = startCommand('local/start.ts', [], variables);
    onTestFinished(() => void child.kill('SIGKILL'));
    const listNames = async () => (await listPrograms(variables)).map((each) => each.commandLine);
    await expect.poll(listNames, wait).toContainEqual(expect.stringMatching(/^\S*node .*offline/));

    child.kill('SIGINT');

    expect(await ended).toMatchObject({ code: 0 });
    expect(await listNames()).toEqual([]);
    expect(output()).toMatch(/\nStopping …\n$/);
  },
);
