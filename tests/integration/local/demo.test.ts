import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { startCommand } from '../../helpers/command.ts';
import { createTestDir } from '../../helpers/test-dir.ts';
import { findPrograms, startTestStack } from '../../helpers/test-stack.ts';

const wait = { timeout: 180_000, interval: 50 };

const startDemo = (environment: NodeJS.ProcessEnv) =>
  startCommand('local/start.ts', ['demo'], { ...process.env, ...environment });

test('the demo runs its tests on a running stack and detects a wrong count', async () => {
  const stack = await startTestStack({ params: { visibilityTimeoutSeconds: 6 } });
  try {
    const first = startDemo({ STACK_FILE: stack.stackFile });
    // The first demo now waits for its dead letter.
    await expect.poll(first.output, wait).toContain('{"id":"demo-names-no-link"');

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
    expect([(await first.ended).code, first.output()]).toEqual([
      0,
      expect.stringContaining('checks passed.'),
    ]);
    expect(first.output()).toContain('{"id":"demo-sent-twice","detail":{"code":"');
    expect(first.output()).toContain(
      '{"id":"demo-names-no-link","detail":{"at":"2026-05-25T10:00:00Z"}}',
    );
    expect([(await second.ended).code, second.output()]).toEqual([
      1,
      expect.stringContaining('checks failed.'),
    ]);
    expect(second.output()).toContain('This stack has already counted demo-sent-twice');
  } finally {
    await stack.stop();
  }
});

test('Ctrl-C while it runs its tests leaves nothing behind', async () => {
  await using dir = await createTestDir();
  const demoId = randomUUID();
  const { child, ended, output } = startDemo({
    STACK_FILE: path.join(dir.path, 'stack.json'),
    TMPDIR: dir.path,
    LOCAL_DEMO_TEST: demoId,
  });
  await expect.poll(output, wait).toContain('created the link');

  child.kill('SIGINT');

  expect(await ended).toMatchObject({ code: 130 });
  expect(await findPrograms('LOCAL_DEMO_TEST', demoId)).toEqual([]);
  expect(await readdir(dir.path)).toEqual([]);
});
