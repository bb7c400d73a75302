import path from 'node:path';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  type ServiceInputTypes,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { poisonMessage } from '../../../local/real-messages.ts';
import { makeClick } from '../../helpers/clicks.ts';
import { link, marker } from '../../helpers/items.ts';
import {
  manyLetters as manyOldLetters,
  sortedBodies,
  useOperatedStack,
} from '../../helpers/operator.ts';

const wait = { timeout: 30_000, interval: 20 };
const hourMs = 3_600_000;
const stack = useOperatedStack();

// Commands don't move clicks of more than 18 days ago.
const at = new Date().toISOString();
const day = at.slice(0, 'yyyy-mm-dd'.length);
const newClick = (id: string, code: string) => makeClick(id, code, { at });
const manyLetters = (count: number, code: string) => manyOldLetters(count, code, { at });

test('redrive moves messages to ClickQueue byte for byte, with their attributes', async () => {
  const odd = `{ "id":"odd",\t"detail": {"code":"known","at":"${at}"} } `;
  await stack.table.put(link('known'), marker('counted', 'known', day));
  await stack.bury([
    { body: odd, attributes: { Origin: 'test' } },
    { body: newClick('counted', 'known') },
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
    [odd, newClick('counted', 'known'), poisonMessage('bad-event-1')].toSorted(),
  );
  const { MessageAttributes } = moved.find(({ Body }) => Body === odd) ?? {};
  expect(MessageAttributes?.Origin?.StringValue).toBe('test');
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual([]);
});

test('redrive --dry-run only says what would happen', async () => {
  await stack.table.put(link('known'));
  await stack.bury([{ body: newClick('lost', 'nowhere') }, ...manyLetters(11, 'known')]);

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
  const lost = newClick('lost', 'nowhere');
  const invalid = poisonMessage('bad-event-1');
  await stack.bury([{ body: lost }, { body: invalid }]);

  const { stdout } = await stack.run('dlq.ts', ['redrive']);
  await stack.run('dlq.ts', ['redrive', '--reason', 'unknown-link']);

  expect(stdout).toContain('Moved 0 dead letters');
  expect(stdout).toContain('Skipped 2 dead letters that would fail again');
  expect(await stack.drainBodies(stack.outputs.clickQueueUrl)).toEqual([lost]);
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual([invalid]);
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

  test('names a message that ClickQueue rejects, and moves the others', async () => {
    const large = { body: JSON.stringify({ id: 'large', note: 'x'.repeat(2_000) }) };
    const letters = [...manyLetters(3, 'known'), large];
    const { clickQueueUrl: QueueUrl, [from]: url } = stack.outputs;
    await stack.bury(letters, url);
    const Attributes = { MaximumMessageSize: '1024' };
    await stack.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));

    const { code, stdout, stderr } = await stack.run('dlq.ts', [command, ...options]);

    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(`Moved 3 ${things}`);
    expect(stdout).toMatch(
      /^ {2}[\w-]{36} \(click large, link -\): not moved \([\w.]*InvalidParameterValue: .+\)$/m,
    );
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

const daysAgo = (days: number) => Date.now() - days * 24 * hourMs;
const clickOf = (days: number) =>
  makeClick(`day-${days}`, 'known', { at: new Date(daysAgo(days)) });

// ClickQueue keeps messages for 4 days and ClickDLQ for 14, so a click can be moved for 18 days.
describe.each(moves)('$command', ({ command, options, from }) => {
  test('names the messages whose copy or click is too old, and leaves them', async () => {
    const firstArrived = (days: number) => ({ FirstSentTimestamp: `${daysAgo(days)}` });
    const { clickQueueUrl, [from]: url } = stack.outputs;
    const young = { body: clickOf(17), attributes: firstArrived(17) };
    const oldCopy = { body: clickOf(16), attributes: firstArrived(19) };
    const lateCopy = { body: clickOf(19) };
    await stack.bury([young, oldCopy, lateCopy], url);

    const { code, stdout } = await stack.run('dlq.ts', [command, ...options]);

    const reason = command === 'redrive' ? 'unknown-link; ' : '';
    const day = new Date(daysAgo(19)).toISOString().slice(0, 10);
    expect(code).toBe(0);
    expect(stdout).toContain('Skipped 2 too old to move');
    expect(stdout).toContain(
      `(click day-16, link known): ${reason}it first arrived more than 18d ago\n`,
    );
    expect(stdout).toContain(
      `(click day-19, link known): ${reason}its click's day, ${day}, began more than 18d ago\n`,
    );
    const [moved] = await stack.drain(clickQueueUrl);
    expect(moved?.Body).toBe(young.body);
    expect(moved?.MessageAttributes?.FirstSentTimestamp?.StringValue).toBe(
      young.attributes.FirstSentTimestamp,
    );
    expect(await stack.drainBodies(url)).toEqual(sortedBodies([oldCopy, lateCopy]));
  });
});

/** Makes SQS fail requests of the commands for one message, or for all. */
function failRequests(
  operation: string,
  name: string,
  isMeant: (input: ServiceInputTypes) => boolean,
) {
  const { send } = SQSClient.prototype;
  let failures = 0;
  vi.spyOn(SQSClient.prototype, 'send').mockImplementation(function (
    this: SQSClient,
    ...request: Parameters<typeof send>
  ) {
    this.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          if (commandName !== operation || !isMeant(args.input)) return next(args);
          failures += 1;
          throw Object.assign(new Error('injected'), { name, $metadata: { httpStatusCode: 400 } });
        },
      { step: 'deserialize', name: 'fail', override: true },
    );
    return send.apply(this, request);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return () => failures;
}

test.each([
  'InvalidMessageContents',
  'InvalidParameterValue',
  'UnsupportedOperation',
  'KmsThrottled',
  'SomethingNew',
])('redrive moves the others when SQS answers %s to one', async (name) => {
  const letters = manyLetters(12, 'known');
  const [refused = ''] = sortedBodies(letters);
  await stack.bury(letters);
  failRequests(
    'SendMessageCommand',
    name,
    (input) => 'MessageBody' in input && input.MessageBody === refused,
  );

  const { code, stdout, stderr } = await stack.run('dlq.ts', ['redrive', '--include-failing']);

  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('Moved 11 dead letters');
  expect(stdout).toContain('Could not move 1.');
  expect(stdout).toContain(`: not moved (${name}: injected)\n`);
  expect(await stack.drainBodies(stack.outputs.clickQueueUrl)).toHaveLength(11);
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual([refused]);
});

test('redrive names a dead letter that it copied but could not delete, and the next run moves it', async () => {
  const [letter = { body: '' }] = manyLetters(1, 'known');
  const { clickQueueUrl, clickDlqUrl } = stack.outputs;
  await stack.bury([letter]);
  let attempts = 0;
  failRequests('DeleteMessageCommand', 'ReceiptHandleIsInvalid', () => ++attempts === 1);

  const first = await stack.run('dlq.ts', ['redrive', '--include-failing']);
  const second = await stack.run('dlq.ts', ['redrive', '--include-failing']);

  expect([first.code, second.code]).toEqual([1, 0]);
  expect(first.stdout).toContain(
    ': copied to ClickQueue, but not deleted; it counts once (ReceiptHandleIsInvalid: injected)\n',
  );
  expect(await stack.drainBodies(clickQueueUrl)).toEqual([letter.body, letter.body]);
  expect(await stack.drainBodies(clickDlqUrl)).toEqual([]);
});

test('redrive waits out throttling', async () => {
  const letters = manyLetters(2, 'known');
  await stack.bury(letters);
  let attempts = 0;
  failRequests('SendMessageCommand', 'RequestThrottled', () => ++attempts <= 3);

  const { code } = await stack.run('dlq.ts', ['redrive', '--include-failing']);

  expect(code).toBe(0);
  expect(await stack.drainBodies(stack.outputs.clickQueueUrl)).toEqual(sortedBodies(letters));
});

test('redrive moves a message with ten attributes as it is', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `Other${index}`);
  const attributes = Object.fromEntries(names.map((name) => [name, 'kept']));
  await stack.bury([{ body: newClick('full', 'known'), attributes }]);

  const { code } = await stack.run('dlq.ts', ['redrive', '--include-failing']);

  const [moved] = await stack.drain(stack.outputs.clickQueueUrl);
  expect(code).toBe(0);
  expect(Object.keys(moved?.MessageAttributes ?? {}).toSorted()).toEqual(names.toSorted());
});

test.each(['AccessDenied', 'QueueDoesNotExist', 'KmsAccessDenied', 'ExpiredToken'])(
  'redrive stops with one line when SQS answers %s, which every message would meet',
  async (name) => {
    const letters = manyLetters(30, 'known');
    await stack.bury(letters);
    const countFailures = failRequests('SendMessageCommand', name, () => true);

    const { code, stdout, stderr } = await stack.run('dlq.ts', ['redrive', '--include-failing']);

    expect(code).toBe(2);
    expect(countFailures()).toBeLessThanOrEqual(10);
    expect(stdout).toMatch(/^Moved 0 dead letters .*\n$/);
    expect(stderr).toMatch(/^error: [^\n]*injected[^\n]*\n$/);
    expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual(sortedBodies(letters));
  },
);

test('redrive corrects an invalid first arrival when it moves a click, even with nine other attributes', async () => {
  const others = Array.from({ length: 9 }, (_, index) => [`Other${index}`, 'kept'] as const);
  const attributes = { ...Object.fromEntries(others), FirstSentTimestamp: 'abc' };
  await stack.bury([{ body: newClick('odd', 'known'), attributes }]);

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
    `{ "id":"odd",\t"detail": {"code":"known","at":"${at}"} } `,
    'file:///etc/hostname',
    '--message-body',
    "it's $(not) `run` \\ é 東",
    newClick('plain', 'known'),
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

test('drain-rule --dry-run only counts, and a run says how many events are in flight', async () => {
  const { clickRuleDlqUrl: from, clickQueueUrl: to } = stack.outputs;
  await stack.bury(manyLetters(11, 'known'), from);

  const { stdout } = await stack.run('dlq.ts', ['drain-rule', '--dry-run']);
  const left = [await stack.countVisible(from), await stack.countVisible(to)];
  await stack.drain(from);
  const again = await stack.run('dlq.ts', ['drain-rule']);

  expect([stdout, left]).toEqual([
    'Would move 11 messages from ClickRuleDLQ to ClickQueue of the local stack at http://127.0.0.1:1.\n',
    [11, 0],
  ]);
  expect(again.stdout).toContain('About 11 were in flight; run this again in a minute.');
});
