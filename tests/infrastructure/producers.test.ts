import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readClick } from '../../lib/clicks/click.ts';
import { clickDetailType, clickSource } from '../../lib/clicks/click-source.ts';
import { readMessage } from '../../lib/clicks/records.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { startHttpServer } from '../../loopback/http-server.ts';
import { localEnvironment, region } from '../../loopback/local-aws.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { findTargets } from './find-targets.ts';
import { openStage } from './stage-template.ts';

const run = promisify(execFile);
const read = (file: string) => readFile(path.join(projectDir, 'docs', file), 'utf8');
const page = await read('producers.md');
const publishMany = await read('examples/publish-many.mjs');

/** Finds the page's code block in this language that contains this text. */
function findCode(language: string, text: string): string {
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.find(([, name, code]) => name === language && code?.includes(text));
  return found?.[2] ?? expect.fail(`expected a block of ${language} with ${text}; got none`);
}

const detail = JSON.parse(findCode('json', 'clickId'));

/** Runs a command after the page's setup for the event bus at this URL. */
async function runAfterSetup(url: string, command: string) {
  await using dir = await createTestDir();
  await mkdir(path.join(dir.path, '.local'));
  const outputs = JSON.stringify({ busName: 'ClickBus', eventsEndpoint: url, region });
  await writeFile(path.join(dir.path, '.local/stack.json'), outputs);
  const script = `${findCode('sh', 'AWS_ENDPOINT_URL_EVENTBRIDGE')}\n${command}`;
  return await run('sh', ['-c', script], {
    cwd: dir.path,
    env: { ...localEnvironment(), projectDir },
  });
}

describe('the examples for producers', () => {
  test('are a Detail that counts, and a command that publishes it to ClickQueue', async () => {
    const click = { id: detail.clickId, code: 'spring', day: '2026-05-26' };

    // A fake `aws` prints the entries.
    const command = `aws() { printf %s "$4"; }\n${findCode('sh', 'put-events')}`;
    const { stdout } = await runAfterSetup('http://the-bus', command);

    const [entry, ...others] = JSON.parse(stdout);
    expect(others).toEqual([]);
    expect(findTargets(await openStage('local'), entry)).toEqual(['arn:ClickQueue']);
    for (const each of [JSON.parse(entry.Detail), detail]) {
      expect(readClick({ id: 'event-1', detail: each })).toMatchObject(click);
    }
  });

  test.each([
    ['two clicks', findCode('js', 'toEntry'), 2, [2, 1]],
    ['450 clicks, in three envelopes', publishMany, 450, [1, 1, 1, 1]],
  ])('publish %s with their own ids, and resend only what failed, unchanged', async (...row) => {
    const [, example, count, sizes] = row;
    const requests: { Detail: string }[][] = [];
    const server = await startHttpServer(async ({ body }) => {
      const { Entries: sent } = JSON.parse(body);
      const failures = requests.push(sent) === 1 ? 1 : 0;
      const Entries = Array(sent.length - failures).fill({ EventId: '1' });
      const failed = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Slow down.' };
      if (failures) Entries.push(failed);
      return { status: 200, body: { FailedEntryCount: failures, Entries } };
    });
    onTestFinished(server.stop);

    const command = `cd "$projectDir" && node --input-type=module <<'EOF'\n${example}\nEOF`;
    await runAfterSetup(server.url, command);

    expect(requests.map(({ length }) => length)).toEqual(sizes);
    expect(requests[1]).toEqual(requests[0]?.slice(-1));
    // The command above has the same, and shows that its event reaches ClickQueue.
    const target = { EventBusName: 'ClickBus', Source: clickSource, DetailType: clickDetailType };
    for (const entry of requests.flat()) expect(entry).toMatchObject(target);
    const events = requests.flat().flatMap(({ Detail }) => {
      return readMessage(`{"id":"event-1","detail":${Detail}}`).events;
    });
    expect(new Set(events.map((event) => readClick(event).id)).size).toBe(count);
  });
});
