import type { SQSEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick } from '../../helpers/clicks.ts';
import { serviceError } from '../../helpers/faults.ts';

const run = useAggregator();

describe('a message that cannot be counted fails alone', () => {
  test('with its reason in the log, and the rest of the batch counts', async () => {
    const code = await run.stack.createLink();
    const poison = '{"id":"bad-event-1","detail":{"at":"2026-05-25T10:00:00Z"}}';

    const response = await run.stack.deliver([
      makeClick('good-1', code),
      poison,
      makeClick('good-2', code),
    ]);

    expect(response).toEqual(failed(1));
    expect(await run.stack.readLink(code)).toEqual({ clicks: 2, days: { [day]: 2 } });
    expect(run.failures()).toMatchObject([
      {
        level: 'ERROR',
        clickId: 'bad-event-1',
        reason: 'invalid-click',
        detail: 'expected "detail.code" to be 4 to 32 letters, digits, "-" or "_"; got nothing',
        attempt: 1,
      },
    ]);
    expect(run.metrics()).toEqual([
      { ClicksCounted: 2, DuplicateClicks: 0, FailedClicks: 1, DeadLetters: 0 },
    ]);
  });

  test('without any of its content in the log', async () => {
    const secret = 'anna@example.com';
    const poisons = [
      secret,
      JSON.stringify(secret),
      JSON.stringify([secret]),
      JSON.stringify({ id: secret, detail: { code: secret, at: secret, clickId: secret } }),
      JSON.stringify({ id: secret, detail: secret }),
      JSON.stringify({ id: secret, detail: { code: 'spring', at: day, [secret]: secret } }),
    ];

    const response = await run.stack.deliver(poisons);

    expect(response).toEqual(failed(0, 1, 2, 3, 4, 5));
    expect(run.failures()).toHaveLength(poisons.length);
    expect(JSON.stringify(run.failures())).not.toContain('anna');
  });

  test.each([
    [
      'attributes',
      { attributes: undefined },
      'expected "attributes.ApproximateReceiveCount" to be a number above 0; got nothing',
      undefined,
    ],
    [
      'a receive count',
      { attributes: {} },
      'expected "attributes.ApproximateReceiveCount" to be a number above 0; got nothing',
      undefined,
    ],
    ['a body', { body: undefined }, 'expected the message to be JSON; got nothing', 1],
  ])('if its record comes without %s', async (_, change, detail, attempt) => {
    const code = await run.stack.createLink();
    const clicks = ['before', 'broken', 'after'].map((name) => makeClick(`${name}-${code}`, code));
    const { Records } = makeBatch(clicks);
    Object.assign(Records[1] ?? {}, change);

    const response = await run.stack.newInstance()({ Records }, makeContext());

    expect(response).toEqual(failed(1));
    expect(await run.stack.readLink(code)).toEqual({ clicks: 2, days: { [day]: 2 } });
    const [failure] = run.failures();
    expect(failure).toMatchObject({ messageId: 'message-1', reason: 'invalid-click', detail });
    expect(failure?.attempt).toBe(attempt);
    expect(run.metrics()).toEqual([
      { ClicksCounted: 2, DuplicateClicks: 0, FailedClicks: 1, DeadLetters: 0 },
    ]);
  });

  test('and is counted as a dead letter after its last attempt', async () => {
    const lastAttempt = makeBatch(['click!'], 3);

    await run.stack.newInstance()(lastAttempt, makeContext());

    expect(run.metrics()).toEqual([
      { ClicksCounted: 0, DuplicateClicks: 0, FailedClicks: 1, DeadLetters: 1 },
    ]);
  });

  test('if its link is unknown, and creates no item', async () => {
    const response = await run.stack.deliver([makeClick('lost-1', 'nowhere')]);

    expect(response).toEqual(failed(0));
    expect(await run.stack.readLink('nowhere')).toEqual({ clicks: undefined, days: {} });
    expect(await run.stack.get('CLICK#lost-1', 'CLICK')).toBeUndefined();
    expect(run.failures()).toMatchObject([
      { clickId: 'lost-1', code: 'nowhere', reason: 'unknown-link' },
    ]);
  });

  test.each([
    ['code', async () => ({ code: await run.stack.createLink() })],
    ['day', async () => ({ at: '2026-05-25T10:00:00Z' })],
  ])('if its id was counted with a different %s', async (_, change) => {
    const code = await run.stack.createLink();
    const id = `changed-${code}`;
    await run.stack.deliver([makeClick(id, code)]);

    const changed = await change();
    const response = await run.stack.deliver([makeClick(id, code, changed)]);

    expect(response).toEqual(failed(0));
    expect(run.failures()).toMatchObject([{ clickId: id, reason: 'changed-click' }]);
    expect(await run.stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
  });
});

test.each([[{}], [undefined]])('an event that SQS did not send is rejected: %j', async (event) => {
  const invocation = run.stack.newInstance()(event as SQSEvent, makeContext());

  await expect(invocation).rejects.toThrow(
    new TypeError('expected Records to be a list of SQS messages; got nothing'),
  );
});

test('a batch of 100 with every fault at once: each message has its own outcome', async () => {
  const code = await run.stack.createLink();
  const redelivered = Array.from({ length: 10 }, (_, index) => makeClick(`old-${index}`, code));
  await run.stack.deliver(redelivered);
  const fresh = Array.from({ length: 74 }, (_, index) => makeClick(`new-${index}`, code));
  const bodies = [
    ...fresh,
    ...redelivered,
    ...fresh.slice(0, 5),
    ...Array.from({ length: 5 }, (_, index) => makeClick(`stray-${index}`, 'nowhere')),
    ...['', '{', '[]', '{"id":"x"}', makeClick('bad', 'a/b')],
    makeClick('poison', code),
  ];

  const response = await run.stack.deliver(bodies, {
    before: (input) =>
      JSON.stringify(input).includes('CLICK#poison')
        ? serviceError('ValidationException', 400)
        : undefined,
  });

  expect(bodies).toHaveLength(100);
  const failedIds = response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  expect(new Set(failedIds)).toEqual(
    new Set(Array.from({ length: 11 }, (_, index) => `message-${89 + index}`)),
  );
  expect(run.metrics().at(-1)).toEqual({
    ClicksCounted: 74,
    DuplicateClicks: 15,
    FailedClicks: 11,
    DeadLetters: 0,
  });
  expect(await run.stack.readLink(code)).toEqual({ clicks: 84, days: { [day]: 84 } });
});
