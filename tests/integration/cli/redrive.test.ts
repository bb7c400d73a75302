import path from 'node:path';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { invalidMessage } from '../../../local/real-messages.ts';
import { makeClick, makeClicks, makeEnvelope, makeNested } from '../../helpers/clicks.ts';
import { link, marker } from '../../helpers/items.ts';
import { type DeadLetter, useOperatedStack } from '../../helpers/operator.ts';

const wait = { timeout: 30_000, interval: 20 };
const hourMs = 3_600_000;
const stack = useOperatedStack();

// Commands don't move clicks of more than 18 days ago.
const at = new Date().toISOString();
const day = at.slice(0, 'yyyy-mm-dd'.length);
const newClick = (id: string, code: string) => makeClick(id, code, { at });
const manyDeadLetters = (count: number, code: string) =>
  makeClicks(count, code, { at }).map((body) => ({ body }));
const sortedBodies = (deadLetters: DeadLetter[]) => deadLetters.map(({ body }) => body).toSorted();

const redriveAll = ['redrive', '--include-failing'];
const ofStack = 'of the local stack at http://127.0.0.1:1.\n';
const dlq = (...args: string[]) => stack.run('dlq.ts', args);
const drainDlq = () => stack.drainBodies(stack.outputs.clickDlqUrl);
const drainQueue = () => stack.drainBodies(stack.outputs.clickQueueUrl);

test('redrive moves messages to ClickQueue byte for byte, with their attributes and first arrival', async () => {
  const keep = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`Other${index}`, 'kept']));
  const odd = `{ "id":"odd",\t"detail": {"code":"known","at":"${at}"} } `;
  const deadLetters = [
    { body: odd, attributes: { ...keep(9), FirstSentTimestamp: 'invalid' } },
    // SQS allows ten, so this one can't note its first arrival.
    { body: newClick('counted', 'known'), attributes: keep(10) },
    { body: invalidMessage('bad-event-1') },
  ];
  await stack.table.put(link('known'), marker('counted', 'known', day));
  await stack.bury(deadLetters);

  const { code, stdout } = await dlq(...redriveAll);

  expect(code).toBe(0);
  expect(stdout).toEqual(
    `Moved 3 dead letters to ClickQueue ${ofStack}` +
      '  1 will be counted\n' +
      '  1 have an id that was already counted; no effect\n' +
      '  will fail again unless something changes: 1 invalid-click\n',
  );
  const moved = await stack.drain(stack.outputs.clickQueueUrl);
  expect(moved.map(({ Body }) => Body).toSorted()).toEqual(sortedBodies(deadLetters));
  const attributesOf = (body?: string) => {
    const { MessageAttributes = {} } = moved.find(({ Body }) => Body === body) ?? {};
    return Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]),
    );
  };
  const { FirstSentTimestamp, ...others } = attributesOf(odd);
  expect(others).toEqual(keep(9));
  expect(Number(FirstSentTimestamp)).toBeGreaterThan(Date.now() - hourMs);
  expect(attributesOf(deadLetters[1]?.body)).toEqual(keep(10));
  expect(await drainDlq()).toEqual([]);
});

test('redrive moves a whole envelope if it would count any click, and names a too old one', async () => {
  const lost = { clickId: 'lost', code: 'nowhere', at };
  const old = { clickId: 'old', code: 'known', at: new Date(Date.now() - 20 * 24 * hourMs) };
  const [mixed, failing, tooOld] = [
    makeEnvelope([lost, ...makeNested(2, 'known', { at })]),
    makeEnvelope([lost]),
    makeEnvelope([...makeNested(2, 'known', { at }), old]),
  ] as const;
  await stack.table.put(link('known'));
  await stack.bury([mixed, failing, tooOld].map((body) => ({ body })));

  const { stdout } = await dlq('redrive');

  expect(stdout).toContain('Moved 1 dead letter');
  expect(stdout).toContain('Skipped 1 dead letter that would fail again (1 unknown-link)');
  expect(stdout).toContain('Skipped 1 too old to move');
  expect(await drainQueue()).toEqual([mixed]);
  expect(await drainDlq()).toEqual([failing, tooOld].toSorted());
});

test('redrive keeps messages that would fail again unless their reason is named, and with --dry-run all', async () => {
  const lost = newClick('lost', 'nowhere');
  const invalid = invalidMessage('bad-event-1');
  const countable = manyDeadLetters(11, 'known');
  await stack.table.put(link('known'));
  await stack.bury([{ body: lost }, { body: invalid }, ...countable]);

  const { stdout } = await dlq('redrive', '--dry-run');
  const left = await stack.countVisible(stack.outputs.clickDlqUrl);
  await dlq('redrive', '--reason', 'unknown-link');
  const named = await drainQueue();
  await dlq('redrive');

  expect(stdout).toBe(
    `Would move 11 dead letters to ClickQueue ${ofStack}` +
      '  11 will be counted\n' +
      'Skipped 2 dead letters that would fail again (1 invalid-click, 1 unknown-link). Fix the cause first, or add --include-failing.\n',
  );
  expect(left).toBe(13);
  expect(named).toEqual([lost]);
  expect(await drainQueue()).toEqual(sortedBodies(countable));
  expect(await drainDlq()).toEqual([invalid]);
});

test('redrive loses nothing when two people run it at once', async () => {
  const deadLetters = manyDeadLetters(60, 'known');
  await stack.bury(deadLetters);

  await Promise.all([1, 2].map(() => stack.start('dlq.ts', redriveAll).ended));

  expect(await drainQueue()).toEqual(sortedBodies(deadLetters));
  expect(await drainDlq()).toEqual([]);
});

test('redrive loses nothing when interrupted, and resumes on the next run', async () => {
  const deadLetters = manyDeadLetters(30, 'known');
  const { clickQueueUrl, clickDlqUrl } = stack.outputs;
  await stack.bury(deadLetters);

  const { child, ended } = stack.start('dlq.ts', [...redriveAll, '--rate', '5']);
  await expect.poll(() => stack.countVisible(clickQueueUrl), wait).toBeGreaterThan(1);
  child.kill('SIGINT');
  const { code, stdout } = await ended;

  const moved = await stack.countVisible(clickQueueUrl);
  expect(code).toBe(130);
  expect(await stack.countVisible(clickDlqUrl)).toEqual(30 - moved);
  expect(stdout).toContain(`Moved ${moved} dead letters`);
  expect(stdout).toContain('Stopped before the end');
  await dlq(...redriveAll);
  expect(await drainQueue()).toEqual(sortedBodies(deadLetters));
});

const daysAgo = (days: number) => Date.now() - days * 24 * hourMs;
const clickOf = (days: number) =>
  makeClick(`day-${days}`, 'known', { at: new Date(daysAgo(days)) });

// ClickQueue keeps messages for 4 days and ClickDLQ for 14, so a click can be moved for 18 days.
test.each([
  [redriveAll, 'clickDlqUrl', 'unknown-link; '],
  [['drain-rule'], 'clickRuleDlqUrl', ''],
] as const)(
  '%j names the messages whose copy or click is too old, and leaves them',
  async (command, from, reason) => {
    const firstArrived = (days: number) => ({ FirstSentTimestamp: `${daysAgo(days)}` });
    const young = { body: clickOf(17), attributes: firstArrived(17) };
    const oldCopy = { body: clickOf(16), attributes: firstArrived(19) };
    const lateCopy = { body: clickOf(19) };
    await stack.bury([young, oldCopy, lateCopy], stack.outputs[from]);

    const { code, stdout } = await dlq(...command);

    const day = new Date(daysAgo(19)).toISOString().slice(0, 10);
    const tooOld = [
      'Skipped 2 too old to move',
      `(click day-16, link known): ${reason}it first arrived more than 18d ago\n`,
      `(click day-19, link known): ${reason}its click's day, ${day}, began more than 18d ago\n`,
    ];
    expect(code).toBe(0);
    for (const text of tooOld) expect(stdout).toContain(text);
    const [moved] = await stack.drain(stack.outputs.clickQueueUrl);
    const { StringValue } = moved?.MessageAttributes?.FirstSentTimestamp ?? {};
    expect(moved?.Body).toEqual(young.body);
    expect(StringValue).toEqual(young.attributes.FirstSentTimestamp);
    expect(await stack.drainBodies(stack.outputs[from])).toEqual(sortedBodies([oldCopy, lateCopy]));
  },
);

/** Makes SQS fail the requests for which this names an error. */
function failRequests(nameError: (operation: string, input: object) => string | undefined) {
  const { send } = SQSClient.prototype;
  vi.spyOn(SQSClient.prototype, 'send').mockImplementation(function (
    this: SQSClient,
    ...request: Parameters<typeof send>
  ) {
    const [command] = request;
    const name = nameError(command.constructor.name, command.input);
    if (!name) return send.apply(this, request);
    throw Object.assign(new Error('injected'), { name, $metadata: { httpStatusCode: 400 } });
  } as typeof send);
  onTestFinished(() => void vi.restoreAllMocks());
}

test('redrive stops if SQS denies everything, names what it rejects and what it could not delete, and the next run moves them', async () => {
  const deadLetters = manyDeadLetters(12, 'known');
  const [rejected = '', ...others] = sortedBodies(deadLetters);
  await stack.bury(deadLetters);
  let isDenied = true;
  let sends = 0;
  let deletions = 0;
  failRequests((operation, input) => {
    if (isDenied && operation === 'SendMessageCommand') return 'AccessDenied';
    if (operation === 'DeleteMessageCommand' && ++deletions === 1) return 'ReceiptHandleIsInvalid';
    return Object.values(input).includes(rejected) && ++sends === 1 ? 'SomethingNew' : undefined;
  });

  const denied = await dlq(...redriveAll);
  isDenied = false;
  const { code, stdout, stderr } = await dlq(...redriveAll);
  const again = await dlq(...redriveAll);

  expect(denied.code).toBe(2);
  expect(denied.stderr).toBe('error: AWS answered: AccessDenied: injected\n');
  // It isn't the dead letters' fault, so none is named.
  expect(denied.stdout).not.toContain('Could not move');
  expect(code).toBe(1);
  expect(stderr).toBe('');
  expect(again.code).toBe(0);
  expect(stdout).toMatch(/^Moved 10 dead letters [\s\S]*\nCould not move 2\./);
  expect(stdout).toMatch(
    /\n {2}[\w-]{36} \(click known-\d+, link known\): not moved \(SomethingNew: injected\)\n/,
  );
  expect(stdout).toContain(
    ': copied to ClickQueue, but not deleted; it counts once (ReceiptHandleIsInvalid: injected)\n',
  );
  const moved = await drainQueue();
  expect(moved.length).toBe(13);
  expect(new Set(moved)).toEqual(new Set([rejected, ...others]));
  expect(await drainDlq()).toEqual([]);
});

test.each([
  ['drain-rule', [], 'ClickRuleDLQ'],
  ['drain-queue', ['--number', '3'], 'ClickQueue3'],
  ['drain-standby', [], 'StandbyDLQ'],
] as const)(
  '%s %j moves any event to ClickQueue byte for byte, with its time of arrival, unless it is in flight',
  async (command, options, name) => {
    const { clickRuleDlqUrl, clickQueueUrl: to, standby } = stack.outputs;
    const queues = {
      ClickRuleDLQ: clickRuleDlqUrl,
      ClickQueue3: `${to}-3`,
      StandbyDLQ: standby.dlqUrl,
    };
    const from = queues[name];
    await stack.sqs.send(new CreateQueueCommand({ QueueName: path.basename(from) }));
    const bodies = [
      `{ "id":"odd",\t"detail": {"code":"known","at":"${at}"} } `,
      ...['file:///etc/hostname', '--message-body', "it's $(not) `run` \\ é 東"],
      ...sortedBodies(manyDeadLetters(8, 'known')),
    ];
    const attributes = { ERROR_CODE: 'SDK_CLIENT_ERROR' };
    const deadLetters = bodies.map((body) => ({ body, attributes }));
    const startedMs = Date.now();
    await stack.bury(deadLetters, from);

    const wouldMove = await dlq(command, ...options, '--dry-run');
    const { code, stdout } = await dlq(command, ...options);
    const moved = await stack.drain(to);
    await stack.bury(deadLetters, from);
    const hidden = await stack.drainBodies(from);
    const again = await dlq(command, ...options);

    const messages = `12 messages from ${name} to ClickQueue ${ofStack}`;
    expect(wouldMove.stdout).toBe(`Would move ${messages}`);
    expect(code).toBe(0);
    expect(stdout).toEqual(`Moved ${messages}`);
    expect(moved.map(({ Body }) => Body).toSorted()).toEqual(bodies.toSorted());
    for (const { MessageAttributes = {} } of moved) {
      expect(MessageAttributes.ERROR_CODE?.StringValue).toBe('SDK_CLIENT_ERROR');
      const firstSentMs = Number(MessageAttributes.FirstSentTimestamp?.StringValue);
      expect(firstSentMs).toBeGreaterThanOrEqual(startedMs);
      expect(firstSentMs).toBeLessThanOrEqual(Date.now());
    }
    expect(hidden).toEqual(bodies.toSorted());
    expect(again.stdout).toContain('About 12 were in flight; run this again in a minute.');
  },
);
