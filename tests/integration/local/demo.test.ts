import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { localClientConfig } from '../../../local/engines/aws.ts';
import { findPrograms, startTestStack } from '../../helpers/local-stack.ts';

const demoScript = path.resolve(import.meta.dirname, '../../../local/demo.ts');
const wait = { timeout: 60_000, interval: 50 };

/** What `npm run demo` does, with its output collected. */
function startDemo(environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [demoScript], { env: { ...process.env, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, output: () => output };
}

test('the demo plays the real tests on the stack that runs, and sees a wrong count', async () => {
  const stack = await startTestStack({ params: { visibilityTimeoutSeconds: 6 } });
  const { dynamodbEndpoint, tableName: TableName } = stack.outputs;
  const database = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  try {
    const first = startDemo({ STACK_FILE: stack.stackFile });
    expect([await first.ended, first.output()]).toEqual([0, expect.stringContaining('are right.')]);
    expect(first.output()).toContain('{"id":"fixed-test-id-xyz","detail":{"code":"');
    expect(first.output()).toContain('{"id":"bad-event-1","detail":{"at":"2026-05-25T10:00:00Z"}}');

    const second = startDemo({ STACK_FILE: stack.stackFile });
    await expect.poll(second.output, wait).toMatch(/made the link \w+/);
    const [, code] = /made the link (\w+)/.exec(second.output()) ?? [];
    await database.send(
      new UpdateCommand({
        TableName,
        Key: { PK: `LINK#${code}`, SK: 'META' },
        UpdateExpression: 'ADD clicks :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    expect([await second.ended, second.output()]).toEqual([
      1,
      expect.stringContaining('are wrong.'),
    ]);
    expect(second.output()).toContain('fixed-test-id-xyz was counted on this stack before');
  } finally {
    database.destroy();
    await stack.stop();
  }
});

test.each([
  ['while its stack starts', 'one is started for this demo'],
  ['while it plays', 'made the link'],
])('Ctrl-C %s leaves nothing behind', async (_, sign) => {
  const demoId = randomUUID();
  const dir = await mkdtemp(path.join(tmpdir(), 'click-tally-test-'));
  const { child, ended, output } = startDemo({
    STACK_FILE: path.join(dir, 'stack.json'),
    TMPDIR: dir,
    LOCAL_DEMO_TEST: demoId,
  });
  await expect.poll(output, wait).toContain(sign);

  child.kill('SIGINT');

  expect(await ended).toBe(130);
  expect(await findPrograms('LOCAL_DEMO_TEST', demoId)).toEqual([]);
  expect(await readdir(dir)).toEqual([]);
  await rm(dir, { recursive: true });
});
