import path from 'node:path';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, test, vi } from 'vitest';
import { openSheet, placedClickId } from '../../../lib/clicks/placed-id.ts';
import { poisonMessage } from '../../../local/real-messages.ts';
import { day, makeClick } from '../../helpers/clicks.ts';
import { link, marker, sheet } from '../../helpers/items.ts';
import { manyLetters, sortedBodies, useOperatedStack } from '../../helpers/operator.ts';

const wait = { timeout: 30_000, interval: 20 };
const hourMs = 3_600_000;
const stack = useOperatedStack();

test('redrive moves messages to ClickQueue byte for byte, with their attributes', async () => {
  const odd = '{ "id":"odd",\t"detail": {"code":"known","at":"2026-05-26T10:00:00Z"} } ';
  await stack.table.put(link('known'), marker('counted', 'known', '2026-05-26'));
  await stack.bury([
    { body: odd, attributes: { Origin: 'test' } },
    { body: makeClick('counted', 'known') },
    { body: poisonMessage('bad-event-1') },
  ]);

  const { code, stdout } = await stack.run('dlq.ts', ['redrive', '--include-failing']);

  expect(code).toBe(0);
  expect(stdout).toBe(
    'Moved 3 dead letters to ClickQueue of the local stack at http://127.0.0.1:1.\n' +
      '  1 will be counted\n' +
      '  1 have an id that was already counted; no effect\n' +
      '  will fail again unless something changes: 1 invalid-click\n',
  );
  const moved = await stack.drain(stack.outputs.clickQueueUrl);
  expect(moved.map(({ Body }) => Body).toSorted()).toEqual(
    [odd, makeClick('counted', 'known'), poisonMessage('bad-event-1')].toSorted(),
  );
  const { MessageAttributes } = moved.find(({ Body }) => Body === odd) ?? {};
  expect(MessageAttributes?.Origin?.StringValue).toBe('test');
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual([]);
});

test('redrive --dry-run only says what would happen', async () => {
  await stack.table.put(link('known'));
  await stack.bury([{ body: makeClick('lost', 'nowhere') }, ...manyLetters(11, 'known')]);

  const { stdout } = await stack.run('dlq.ts', ['redrive', '--dry-run']);

  expect(stdout).toBe(
    'Would move 11 dead letters to ClickQueue of the local stack at http://127.0.0.1:1.\n' +
      '  11 will be counted\n' +
      'Skipped 1 dead letter that would fail again (1 unknown-link). Fix the cause first, or add --include-failing.\n',
  );
  expect(await stack.countVisible(stack.outputs.clickDlqUrl)).toBe(12);
  expect(await stack.countVisible(stack.outputs.clickQueueUrl)).toBe(0);
});

test('redrive keeps messages that would fail again unless their reason is named', async () => {
  const lost = makeClick('lost', 'nowhere');
  const invalid = poisonMessage('bad-event-1');
  await stack.bury([{ body: lost }, { body: invalid }]);

  const { stdout } = await stack.run('dlq.ts', ['redrive']);
  await stack.run('dlq.ts', ['redrive', '--reason', 'unknown-link']);

  expect(stdout).toContain('Moved 0 dead letters');
  expect(stdout).toContain('Skipped 2 dead letters that would fail again');
  expect(await stack.drainBodies(stack.outputs.clickQueueUrl)).toEqual([lost]);
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual([invalid]);
});

test('redrive keeps a click whose slot holds another click', async () => {
  const sealed = openSheet();
  const clickIn = (slot: number) => makeClick(placedClickId(sealed, slot), 'known');
  await stack.table.put(
    link('known'),
    sheet(sealed.id, [
      { code: 'other', day },
      { code: 'known', day },
    ]),
  );
  await stack.bury([0, 1, 2].map((slot) => ({ body: clickIn(slot) })));

  const { stdout } = await stack.run('dlq.ts', ['redrive']);

  expect(stdout).toContain(
    '  1 will be counted\n  1 have an id that was already counted; no effect\n',
  );
  expect(stdout).toContain('Skipped 1 dead letter that would fail again (1 changed-click).');
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual([clickIn(0)]);
});

test('redrive loses nothing when two people run it at once', async () => {
  const letters = manyLetters(60, 'known');
  await stack.bury(letters);

  const redrive = () => stack.start('dlq.ts', ['redrive', '--include-failing']).ended;
  await Promise.all([redrive(), redrive()]);

  expect(await stack.drainBodies(stack.outputs.clickQueueUrl)).toEqual(sortedBodies(letters));
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual([]);
});

/** Both commands move messages to ClickQueue. */
const moves = [
  {
    command: 'redrive',
    options: ['--include-failing'],
    things: 'dead letters',
    from: 'clickDlqUrl',
  },
  { command: 'drain-rule', options: [], things: 'messages', from: 'clickRuleDlqUrl' },
] as const;

describe.each(moves)('$command', ({ command, options, things, from }) => {
  test('loses nothing when interrupted, and resumes on the next run', async () => {
    const letters = manyLetters(30, 'known');
    const { clickQueueUrl, [from]: url } = stack.outputs;
    await stack.bury(letters, url);

    const { child, ended } = stack.start('dlq.ts', [command, ...options, '--rate', '5']);
    await expect.poll(() => stack.countVisible(clickQueueUrl), wait).toBeGreaterThan(1);
    child.kill('SIGINT');
    const { code, stdout } = await ended;

    const moved = await stack.countVisible(clickQueueUrl);
    expect([code, await stack.countVisible(url)]).toEqual([130, 30 - moved]);
    expect(stdout).toContain(`Moved ${moved} ${things}`);
    expect(stdout).toContain('Stopped before the end');
    await stack.run('dlq.ts', [command, ...options]);
    expect(await stack.drainBodies(clickQueueUrl)).toEqual(sortedBodies(letters));
  });

  test('keeps messages that ClickQueue rejects', async () => {
    const large = { body: JSON.stringify({ id: 'large', note: 'x'.repeat(2_000) }) };
    const letters = [...manyLetters(3, 'known'), large];
    const { clickQueueUrl: QueueUrl, [from]: url } = stack.outputs;
    await stack.bury(letters, url);
    const Attributes = { MaximumMessageSize: '1024' };
    await stack.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));

    const { code, stdout, stderr } = await stack.run('dlq.ts', [command, ...options]);

    expect(code).toBe(2);
    expect(stdout).toContain(`Moved 3 ${things}`);
    expect(stderr).toMatch(/^error: AWS answered: .*InvalidParameterValue: [^\n]*\n$/);
    expect(await stack.drainBodies(url)).toEqual([large.body]);
    expect(await stack.drainBodies(QueueUrl)).toEqual(sortedBodies(letters.slice(0, 3)));
  });
});

test('redrive ends even if moved messages fail again and return', async () => {
  await stack.bury(
    Array.from({ length: 12 }, (_, index) => ({ body: poisonMessage(`bad-${index}`) })),
  );
  const { clickQueueUrl: QueueUrl, clickDlqUrl } = stack.outputs;
  let isOver = false;
  const failEverything = async () => {
    while (!isOver) {
      await stack.sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
      );
    }
  };
  const failing = failEverything();

  const { stdout } = await stack.run('dlq.ts', ['redrive', '--include-failing', '--rate', '10']);

  expect(stdout).toContain('Moved 12 dead letters');
  await vi.waitFor(async () => expect(await stack.countVisible(clickDlqUrl)).toBe(12), wait);
  isOver = true;
  await failing;
});

test('redrive preserves the first arrival of a click, and keeps the click once its marker may have expired', async () => {
  // ClickQueue keeps messages for 4 days and ClickDLQ for 14, so a click can be redriven for 18 days.
  const first = (days: number) => `${Date.now() - days * 24 * hourMs}`;
  const [young, old] = [first(17), first(19)];
  await stack.bury([
    { body: makeClick('young', 'known'), attributes: { FirstSentTimestamp: young } },
    { body: makeClick('old', 'known'), attributes: { FirstSentTimestamp: old } },
  ]);

  const { stdout } = await stack.run('dlq.ts', ['redrive', '--include-failing']);

  expect(stdout).toContain(
    'Skipped 1 dead letter (1 unknown-link): they first arrived so long ago that a click could count twice.',
  );
  const [moved] = await stack.drain(stack.outputs.clickQueueUrl);
  expect(moved?.Body).toBe(makeClick('young', 'known'));
  expect(moved?.MessageAttributes?.FirstSentTimestamp?.StringValue).toBe(young);
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual([makeClick('old', 'known')]);
});

test('redrive corrects an invalid first arrival when it moves a click, even with nine other attributes', async () => {
  const others = Array.from({ length: 9 }, (_, index) => [`Other${index}`, 'kept'] as const);
  const attributes = { ...Object.fromEntries(others), FirstSentTimestamp: 'abc' };
  await stack.bury([{ body: makeClick('odd', 'known'), attributes }]);

  await stack.run('dlq.ts', ['redrive', '--include-failing']);

  const [moved] = await stack.drain(stack.outputs.clickQueueUrl);
  expect(Object.keys(moved?.MessageAttributes ?? {})).toHaveLength(10);
  expect(Number(moved?.MessageAttributes?.FirstSentTimestamp?.StringValue)).toBeGreaterThan(
    Date.now() - hourMs,
  );
});

test('drain-rule moves any event to ClickQueue byte for byte, with its time of arrival', async () => {
  const { clickRuleDlqUrl: from, clickQueueUrl: to } = stack.outputs;
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
    'Moved 5 messages from ClickRuleDLQ to ClickQueue of the local stack at http://127.0.0.1:1.\n',
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

test('drain-queue moves the clicks of a queue that a rollback kept', async () => {
  const { clickQueueUrl: to } = stack.outputs;
  const from = `${to}-3`;
  await stack.sqs.send(new CreateQueueCommand({ QueueName: path.basename(from) }));
  const letters = manyLetters(11, 'known');
  await stack.bury(letters, from);

  const { code, stdout } = await stack.run('dlq.ts', ['drain-queue', '--number', '3']);

  expect([code, stdout]).toEqual([
    0,
    'Moved 11 messages from ClickQueue3 to ClickQueue of the local stack at http://127.0.0.1:1.\n',
  ]);
  expect(await stack.drainBodies(to)).toEqual(sortedBodies(letters));
  expect(await stack.drainBodies(from)).toEqual([]);
});

test('drain-rule --dry-run only counts', async () => {
  const { clickRuleDlqUrl: from, clickQueueUrl: to } = stack.outputs;
  await stack.bury(manyLetters(11, 'known'), from);

  const { stdout } = await stack.run('dlq.ts', ['drain-rule', '--dry-run']);

  expect(stdout).toBe(
    'Would move 11 messages from ClickRuleDLQ to ClickQueue of the local stack at http://127.0.0.1:1.\n',
  );
  expect([await stack.countVisible(from), await stack.countVisible(to)]).toEqual([11, 0]);
});

test('drain-rule reports events in flight', async () => {
  const { clickRuleDlqUrl } = stack.outputs;
  await stack.bury(manyLetters(1, 'known'), clickRuleDlqUrl);
  await stack.drain(clickRuleDlqUrl);

  const { stdout } = await stack.run('dlq.ts', ['drain-rule']);

  expect(stdout).toContain('About 1 were in flight; run this again in a minute.');
});
