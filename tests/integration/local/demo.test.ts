import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createTestDir, findPrograms, startTestStack } from '../../helpers/local-stack.ts';

const demoScript = path.resolve(import.meta.dirname, '../../../local/demo.ts');
const wait = { timeout: 60_000, interval: 50 };

/** Runs `npm run demo`, and collects its output. */
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

test('the demo plays the real tests on a running stack, and detects a wrong count', async () => {
  const stack = await startTestStack({ params: { visibilityTimeoutSeconds: 6 } });
  try {
    const first = startDemo({ STACK_FILE: stack.stackFile });
    expect([await first.ended, first.output()]).toEqual([
      0,
      expect.stringContaining('checks passed.'),
    ]);
    expect(first.output()).toContain('{"id":"fixed-test-id-xyz","detail":{"code":"');
    expect(first.output()).toContain('{"id":"bad-event-1","detail":{"at":"2026-05-25T10:00:00Z"}}');

    const second = startDemo({ STACK_FILE: stack.stackFile });
    await expect.poll(second.output, wait).toMatch(/created the link \w+/);
    const [, code] = /created the link (\w+)/.exec(second.output()) ?? [];
    await stack.dynamodb.send(
      new UpdateCommand({
        TableName: stack.outputs.tableName,
        Key: { PK: `LINK#${code}`, SK: 'META' },
        UpdateExpression: 'ADD clicks :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    expect([await second.ended, second.output()]).toEqual([
      1,
      expect.stringContaining('checks failed.'),
    ]);
    expect(second.output()).toContain('This stack has already counted fixed-test-id-xyz');
  } finally {
    await stack.stop();
  }
});

test.each([
  ['while its stack starts', 'this demo starts its own'],
  ['while it plays', 'created the link'],
])('Ctrl-C %s leaves nothing behind', async (_, sign) => {
  await using dir = await createTestDir();
  const demoId = randomUUID();
  const { child, ended, output } = startDemo({
    STACK_FILE: path.join(dir.path, 'stack.json'),
    TMPDIR: dir.path,
    LOCAL_DEMO_TEST: demoId,
  });
  await expect.poll(output, wait).toContain(sign);

  child.kill('SIGINT');

  expect(await ended).toBe(130);
  expect(await findPrograms('LOCAL_DEMO_TEST', demoId)).toEqual([]);
  expect(await readdir(dir.path)).toEqual([]);
});
