import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localClientConfig, localEnvironment, region } from '../../cli/local-aws.ts';
import { startHttpServer } from '../../cli/loopback/http-server.ts';
import { parseClick } from '../../lib/clicks/click.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { startStageBus } from './stage-bus.ts';

const run = promisify(execFile);
const page = await readFile(path.join(projectDir, 'docs/producers.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, code]) => {
  return { language, code: `${code}` };
});

/** Finds the page's code block in this language that contains this text. */
function findCode(language: string, text: string): string {
  const found = blocks.find((block) => block.language === language && block.code.includes(text));
  if (!found) throw new Error(`expected a block of ${language} with ${text}; the page has none`);
  return found.code;
}

const detail = JSON.parse(findCode('json', 'clickId'));
const nowMs = Date.parse('2026-05-26T12:00:00Z');

test('the contract for producers has an example of a Detail that counts on its UTC day', () => {
  const click = { id: detail.clickId, code: 'spring', day: '2026-05-26' };

  expect(parseClick(JSON.stringify({ id: 'event-1', detail }), nowMs)).toMatchObject(click);
});

/** The variables that the page's setup exports for this event bus. */
async function readSetup(eventsEndpoint: string): Promise<NodeJS.ProcessEnv> {
  const dir = await createTestDir();
  onTestFinished(dir.remove);
  await mkdir(path.join(dir.path, '.local'));
  const outputs = JSON.stringify({ busName: 'ClickBus', eventsEndpoint, region });
  await writeFile(path.join(dir.path, '.local/stack.json'), outputs);
  const script = `${findCode('sh', 'AWS_ENDPOINT_URL_EVENTBRIDGE')}\nenv -0`;
  const { stdout } = await run('sh', ['-c', script], { cwd: dir.path, env: localEnvironment() });
  const variables = stdout.split('\0').filter(Boolean);
  return Object.fromEntries(variables.map((text) => text.split(/=(.*)/s).slice(0, 2)));
}

const runJavaScript = (env: NodeJS.ProcessEnv) =>
  run('node', ['--input-type=module', '--eval', findCode('js', 'PutEvents')], {
    env,
    cwd: projectDir,
  });
const runPython = (env: NodeJS.ProcessEnv) =>
  run('python3', ['-c', findCode('python', 'put_events')], { env });
const hasBoto3 = await run('python3', ['-c', 'import boto3']).then(
  () => true,
  () => false,
);
const programs = [
  { language: 'JavaScript', isRunnable: true, runProgram: runJavaScript },
  { language: 'Python', isRunnable: hasBoto3, runProgram: runPython },
];

/** Runs the page's command with a fake `aws` and returns the entries. */
async function readCliEntries(env: NodeJS.ProcessEnv) {
  const script = `aws() { printf %s "$4"; }\n${findCode('sh', 'put-events')}`;
  const { stdout } = await run('sh', ['-c', script], { env });
  return JSON.parse(stdout);
}

describe('the examples for producers', () => {
  test('the AWS CLI publishes a click that reaches ClickQueue', async () => {
    await using stageBus = await startStageBus('local');
    const bus = new EventBridgeClient(localClientConfig(stageBus.url));

    const Entries = await readCliEntries(await readSetup(stageBus.url));
    const { FailedEntryCount } = await bus.send(new PutEventsCommand({ Entries }));

    expect(FailedEntryCount).toBe(0);
    const clicks = (await stageBus.takeEvents('ClickQueue')).map((body) => parseClick(body));
    expect(clicks).toMatchObject([{ id: detail.clickId, code: 'spring', day: '2026-05-26' }]);
  });

  describe.each(programs)('$language', ({ isRunnable, runProgram }) => {
    test.runIf(isRunnable)('publishes two clicks that reach ClickQueue', async () => {
      await using stageBus = await startStageBus('local');

      await runProgram(await readSetup(stageBus.url));

      const clicks = (await stageBus.takeEvents('ClickQueue')).map((body) => parseClick(body));
      expect(clicks.map(({ code }) => code)).toEqual(['spring', 'spring']);
      expect(new Set(clicks.map(({ id }) => id)).size).toBe(2);
    });

    test.runIf(isRunnable)('resends only failed entries, unchanged', async () => {
      const requests: { Entries: object[] }[] = [];
      const server = await startHttpServer(async ({ body }) => {
        requests.push(JSON.parse(body));
        const failed = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Slow down.' };
        const Entries = requests.length === 1 ? [{ EventId: '1' }, failed] : [{ EventId: '2' }];
        return { status: 200, body: { FailedEntryCount: 2 - requests.length, Entries } };
      });
      onTestFinished(server.stop);

      await runProgram(await readSetup(server.url));

      expect(requests).toHaveLength(2);
      expect(requests[1]?.Entries).toEqual([requests[0]?.Entries[1]]);
    });
  });
});
