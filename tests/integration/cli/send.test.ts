import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { useOperatedStack } from '../../helpers/operator.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

const stack = useOperatedStack();
const json = '{"id":"a-1","detail":{"code":"spring","at":"2026-05-26T10:00:00Z"}}';

test('a message is sent the given number of times, and a file byte for byte', async () => {
  await using dir = await createTestDir();
  const file = path.join(dir.path, 'broken.txt');
  await writeFile(file, ' {"id": broken\n');

  const sent = await stack.run('send.ts', [json, '--times', '12']);
  await stack.run('send.ts', [file]);

  expect(sent.code).toBe(0);
  expect(sent.stdout).toBe(
    'Sent the same message 12 times to ClickQueue of the local stack at http://127.0.0.1:1.\n',
  );
  expect(await stack.drainBodies(stack.outputs.clickQueueUrl)).toEqual([
    ' {"id": broken\n',
    ...Array(12).fill(json),
  ]);
});

test('a mistyped number of times sends nothing', async () => {
  const { code, stderr } = await stack.run('send.ts', [json, '--times', '1e9']);

  expect(code).not.toBe(0);
  expect(stderr).toContain('Expected a number from 1 to 10000.');
  expect(await stack.drainBodies(stack.outputs.clickQueueUrl)).toEqual([]);
});

test("SQS's rejection of a message is reported", async () => {
  const { code, stdout, stderr } = await stack.run('send.ts', ['{"id":"\uffff"}']);

  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: SQS accepted 0 of 1 messages and rejected one: [^\n]+\n$/);
});
