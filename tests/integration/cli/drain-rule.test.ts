import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { makeClick } from '../../helpers/clicks.ts';
import { manyLetters, sortedBodies, useOperatedStack } from '../../helpers/operator.ts';

const wait = { timeout: 30_000, interval: 20 };
const stack = useOperatedStack();
const queues = () => {
  const { clickRuleDlqUrl, clickQueueUrl } = stack.outputs;
  return { from: clickRuleDlqUrl, to: clickQueueUrl };
};

test('drain-rule moves any event to ClickQueue byte for byte, with its time of arrival', async () => {
  const { from, to } = queues();
  const bodies = [
    '{ "id":"odd",\t"detail": {"code":"known","at":"2026-05-26T10:00:00Z"} } ',
    'file:///etc/hostname',
    '--message-body',
    "it's $(not) `run` \\ é 東",
    makeClick('plain', 'known'),
  ];
  const attributes = { ERROR_CODE: 'SDK_CLIENT_ERROR' };
  const startedMs = Date.now();
  await stack.bury(
    bodies.map((body) => ({ body, attributes })),
    from,
  );

  const { code, stdout } = await stack.run('dlq.ts', ['drain-rule']);

  expect(code).toBe(0);
  expect(stdout).toBe(
    'Moved 5 events from ClickRuleDLQ to ClickQueue of the local stack at http://127.0.0.1:1.\n',
  );
  const moved = await stack.drain(to);
  expect(moved.map(({ Body }) => Body).toSorted()).toEqual(bodies.toSorted());
  for (const { MessageAttributes = {} } of moved) {
    expect(MessageAttributes.ERROR_CODE?.StringValue).toBe('SDK_CLIENT_ERROR');
    const firstSentMs = Number(MessageAttributes.FirstSentTimestamp?.StringValue);
    expect(firstSentMs).toBeGreaterThanOrEqual(startedMs);
    expect(firstSentMs).toBeLessThanOrEqual(Date.now());
  }
  expect(await stack.drainBodies(from)).toEqual([]);
});

test('drain-rule --dry-run only counts', async () => {
  const { from, to } = queues();
  await stack.bury(manyLetters(11, 'known'), from);

  const { stdout } = await stack.run('dlq.ts', ['drain-rule', '--dry-run']);

  expect(stdout).toBe(
    'Would move 11 events from ClickRuleDLQ to ClickQueue of the local stack at http://127.0.0.1:1.\n',
  );
  expect([await stack.countVisible(from), await stack.countVisible(to)]).toEqual([11, 0]);
});

test('drain-rule loses nothing when interrupted, and resumes on the next run', async () => {
  const { from, to } = queues();
  const letters = manyLetters(30, 'known');
  await stack.bury(letters, from);

  const { child, ended } = stack.start('dlq.ts', ['drain-rule', '--rate', '5']);
  await expect.poll(() => stack.countVisible(to), wait).toBeGreaterThan(1);
  child.kill('SIGINT');
  const { code, stdout } = await ended;

  const moved = await stack.countVisible(to);
  expect([code, await stack.countVisible(from)]).toEqual([130, 30 - moved]);
  expect(stdout).toContain(`Moved ${moved} events`);
  expect(stdout).toContain('Stopped before the end; the rest is still in ClickRuleDLQ.');
  await stack.run('dlq.ts', ['drain-rule']);
  expect(await stack.drainBodies(to)).toEqual(sortedBodies(letters));
});

test('drain-rule keeps events that ClickQueue rejects, and reports events in flight', async () => {
  const { from, to } = queues();
  const large = { body: JSON.stringify({ id: 'large', note: 'x'.repeat(2_000) }) };
  await stack.bury([large], from);
  const Attributes = { MaximumMessageSize: '1024' };
  await stack.sqs.send(new SetQueueAttributesCommand({ QueueUrl: to, Attributes }));

  const refused = await stack.run('dlq.ts', ['drain-rule']);
  const left = await stack.drainBodies(from);
  const hidden = await stack.run('dlq.ts', ['drain-rule']);

  expect(refused.code).toBe(2);
  expect(refused.stdout).toContain('Moved 0 events');
  expect(refused.stderr).toMatch(/^error: AWS answered: .*InvalidParameterValue: [^\n]*\n$/);
  expect(left).toEqual([large.body]);
  expect(hidden.stdout).toContain('About 1 were in flight; run this again in a minute.');
});
