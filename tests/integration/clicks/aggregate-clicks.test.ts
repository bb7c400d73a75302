import type { TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeContext } from '../../../evidence/kit/lambda-context.ts';
import { makeBatch } from '../../../evidence/kit/sqs-events.ts';
import { startAggregator } from '../../helpers/aggregator.ts';
import {
  answerCutOff,
  cancellation,
  conflictAt,
  connectionLost,
  type Fault,
  injectFault,
  serviceError,
  times,
} from '../../helpers/faults.ts';
import { recordOutput } from '../../helpers/output.ts';

const at = '2026-05-26T10:00:00Z';
const day = '2026-05-26';
const click = (id: string, code: string, changes = {}) =>
  JSON.stringify({ id, detail: { code, at, ...changes } });
const clicks = (count: number, code: string) =>
  Array.from({ length: count }, (_, index) => click(`${code}-${index}`, code));
const failed = (...indexes: number[]) => ({
  batchItemFailures: indexes.map((index) => ({ itemIdentifier: `message-${index}` })),
});

let stack: Awaited<ReturnType<typeof startAggregator>>;
let output: ReturnType<typeof recordOutput>;
let links = 0;

beforeAll(async () => {
  stack = await startAggregator();
});
afterAll(async () => {
  await stack.stop();
});
beforeEach(() => {
  output = recordOutput();
});
afterEach(() => {
  output.undo();
});

/** A link of this test alone. */
async function newLink(): Promise<string> {
  const code = `link-${links++}`;
  await stack.createLink(code);
  return code;
}

/** Hands one batch to an instance that has never run. */
const deliver = (bodies: string[], fault: Fault = {}, timeoutMs = 5_000) => {
  const instance = stack.newInstance((client) => injectFault(client, fault));
  return instance(makeBatch(bodies), makeContext(timeoutMs));
};

const metrics = () => {
  const blobs = output.lines().filter((line) => '_aws' in line);
  return blobs.map(({ _aws, service, stage, ...values }) => values);
};
const failures = () => output.lines().filter(({ message }) => message === 'click not counted');

describe('a click counts once', () => {
  it('on its link, on its day, with a marker that outlives every way back', async () => {
    const code = await newLink();

    expect(await deliver([click('fixed-test-id-xyz', code)])).toEqual(failed());

    expect(await stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
    const marker = await stack.readMarker('fixed-test-id-xyz');
    expect(marker).toMatchObject({ code, day });
    // 1 day on the bus, 4 in the queue, 14 in the dead-letter queue, 4 in the queue again.
    const leftSeconds = marker?.ttl - Date.now() / 1000;
    expect(leftSeconds).toBeGreaterThan(23 * 86_400 - 60);
    expect(leftSeconds).toBeLessThan(23 * 86_400 + 60);
  });

  it('when its message is delivered again to the same instance', async () => {
    const code = await newLink();
    const instance = stack.newInstance();
    const batch = makeBatch([click('again-1', code)]);

    expect(await instance(batch, makeContext())).toEqual(failed());
    expect(await instance(batch, makeContext())).toEqual(failed());

    expect(await stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
  });

  it('when its message is delivered again after a restart', async () => {
    const code = await newLink();

    await deliver([click('restart-1', code)]);
    await deliver([click('restart-1', code)]);

    expect(await stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
    expect(metrics()).toEqual([
      { ClicksCounted: 1, DuplicateClicks: 0, FailedClicks: 0, DeadLetters: 0 },
      { ClicksCounted: 0, DuplicateClicks: 1, FailedClicks: 0, DeadLetters: 0 },
    ]);
  });

  it('when the bus delivers it as two events', async () => {
    const code = await newLink();
    const envelope = (id: string) =>
      JSON.stringify({
        version: '0',
        id,
        'detail-type': 'link.clicked',
        source: 'click-tally',
        time: at,
        detail: { clickId: 'one-click', code, at },
      });

    await deliver([envelope('event-1')]);
    await deliver([envelope('event-2')]);

    expect(await stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
  });

  it('when it comes twice in one batch', async () => {
    const code = await newLink();

    await deliver([click('twin', code), click('other', code), click('twin', code)]);

    expect(await stack.readLink(code)).toEqual({ clicks: 2, days: { [day]: 2 } });
    expect(metrics()).toEqual([
      { ClicksCounted: 2, DuplicateClicks: 1, FailedClicks: 0, DeadLetters: 0 },
    ]);
  });

  it('when 1,000 messages, each sent three times, arrive over ten links at once', async () => {
    const codes = await Promise.all(Array.from({ length: 10 }, newLink));
    const sent = codes.flatMap((code) => clicks(100, code));
    const instances = Array.from({ length: 5 }, () => stack.newInstance());
    const thrice = [...sent, ...sent.toReversed(), ...sent];
    const batches = Array.from({ length: 30 }, (_, index) =>
      thrice.slice(index * 100, index * 100 + 100),
    );

    const responses = await Promise.all(
      instances.map(async (instance, index) => {
        const own = batches.filter((_, batch) => batch % instances.length === index);
        const answers = [];
        for (const batch of own)
          answers.push(await instance(makeBatch(batch), makeContext(30_000)));
        return answers;
      }),
    );

    expect(responses.flat()).toEqual(batches.map(() => failed()));
    for (const code of codes) {
      expect(await stack.readLink(code)).toEqual({ clicks: 100, days: { [day]: 100 } });
    }
  });

  it('where an expired marker of its id was not deleted yet', async () => {
    const code = await newLink();
    await stack.writeMarker('expired', Math.floor(Date.now() / 1000) - 1);

    await deliver([click('expired', code)]);

    expect(await stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
  });
});

describe('a message that cannot be counted fails alone', () => {
  it('with the reason in the log, and its neighbours are counted', async () => {
    const code = await newLink();
    const poison = '{"id":"bad-event-1","detail":{"at":"2026-05-25T10:00:00Z"}}';

    const response = await deliver([click('good-1', code), poison, click('good-2', code)]);

    expect(response).toEqual(failed(1));
    expect(await stack.readLink(code)).toEqual({ clicks: 2, days: { [day]: 2 } });
    expect(failures()).toMatchObject([
      {
        level: 'ERROR',
        clickId: 'bad-event-1',
        reason: 'invalid-click',
        detail: 'expected detail.code to be 4 to 32 letters, digits, "-" or "_"; got nothing',
        attempt: 1,
      },
    ]);
    expect(metrics()).toEqual([
      { ClicksCounted: 2, DuplicateClicks: 0, FailedClicks: 1, DeadLetters: 0 },
    ]);
  });

  it('and is a dead letter when it fails its last attempt', async () => {
    const lastAttempt = makeBatch(['click!'], 3);

    await stack.newInstance()(lastAttempt, makeContext());

    expect(metrics()).toEqual([
      { ClicksCounted: 0, DuplicateClicks: 0, FailedClicks: 1, DeadLetters: 1 },
    ]);
  });

  it('where its link is unknown: no item appears', async () => {
    const response = await deliver([click('lost-1', 'nowhere')]);

    expect(response).toEqual(failed(0));
    expect(await stack.readLink('nowhere')).toEqual({ clicks: undefined, days: {} });
    expect(await stack.readMarker('lost-1')).toBeUndefined();
    expect(failures()).toMatchObject([
      { clickId: 'lost-1', code: 'nowhere', reason: 'unknown-link' },
    ]);
  });

  it('and is counted once its link exists', async () => {
    await deliver([click('early-1', 'late-link')]);
    await stack.createLink('late-link');

    expect(await deliver([click('early-1', 'late-link')])).toEqual(failed());
    expect(await stack.readLink('late-link')).toEqual({ clicks: 1, days: { [day]: 1 } });
  });

  it.each([
    ['code', async () => ({ code: await newLink() })],
    ['day', async () => ({ at: '2026-05-25T10:00:00Z' })],
  ])('where its id was counted with another %s', async (_, change) => {
    const code = await newLink();
    const id = `changed-${code}`;
    await deliver([click(id, code)]);

    const changed = await change();
    const response = await deliver([click(id, code, changed)]);

    expect(response).toEqual(failed(0));
    expect(failures()).toMatchObject([{ clickId: id, reason: 'changed-click' }]);
    expect(await stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
  });

  it('but the same click at another time of the day is a duplicate', async () => {
    const code = await newLink();

    await deliver([click('same-day', code)]);

    expect(await deliver([click('same-day', code, { at: '2026-05-26T11:00:00Z' })])).toEqual(
      failed(),
    );
  });
});

describe('faults of DynamoDB lose nothing and count nothing twice', () => {
  it.each<[string, (fail: () => boolean) => Fault]>([
    [
      'a conflict on the hot link',
      (fail) => ({ before: (input) => (fail() ? conflictAt('LINK#', input) : undefined) }),
    ],
    [
      'throttling at every position',
      (fail) => ({
        before: (input) => (fail() ? cancellation(input, { Code: 'ThrottlingError' }) : undefined),
      }),
    ],
    [
      'a throttled request',
      (fail) => ({
        before: () =>
          fail() ? serviceError('ProvisionedThroughputExceededException', 400) : undefined,
      }),
    ],
    [
      'a failing server',
      (fail) => ({ before: () => (fail() ? serviceError('InternalServerError', 500) : undefined) }),
    ],
    [
      'an answer that is lost after the commit',
      (fail) => ({ after: () => (fail() ? connectionLost() : undefined) }),
    ],
    [
      'an answer that is cut off after the commit',
      (fail) => ({ after: () => (fail() ? answerCutOff() : undefined) }),
    ],
  ])('%s', async (_, makeFault) => {
    const code = await newLink();

    const response = await deliver(clicks(5, code), makeFault(times(7)));

    expect(response).toEqual(failed());
    expect(await stack.readLink(code)).toEqual({ clicks: 5, days: { [day]: 5 } });
  });

  it('an answer lost for good: the messages come back and are duplicates', async () => {
    const code = await newLink();

    const lost = await deliver(clicks(5, code), { after: connectionLost }, 1_500);
    const redelivered = await deliver(clicks(5, code));

    expect(lost).toEqual(failed(0, 1, 2, 3, 4));
    expect(redelivered).toEqual(failed());
    expect(await stack.readLink(code)).toEqual({ clicks: 5, days: { [day]: 5 } });
  });

  it.each([
    ['in one transaction', 40],
    ['in too many transactions', 200],
  ])('a conflict that lasts, %s: only that link fails, and is counted later', async (_, count) => {
    const [hot, cool] = [await newLink(), await newLink()];
    const bodies = [...clicks(count, hot), ...clicks(20, cool)];

    const fault = { before: (input: TransactWriteItemsInput) => conflictAt(`LINK#${hot}`, input) };
    const response = await deliver(bodies, fault, 1_500);
    const failedCodes = failures().map((failure) => failure.code);
    await deliver(bodies);

    expect(response?.batchItemFailures).toHaveLength(count);
    expect(new Set(failures().map(({ reason }) => reason))).toEqual(new Set(['out-of-time']));
    expect(new Set(failedCodes)).toEqual(new Set([hot]));
    expect(await stack.readLink(hot)).toEqual({ clicks: count, days: { [day]: count } });
    expect(await stack.readLink(cool)).toEqual({ clicks: 20, days: { [day]: 20 } });
  });
});

it('a batch of 100 with every trouble at once: each message keeps its own outcome', async () => {
  const code = await newLink();
  const redelivered = Array.from({ length: 10 }, (_, index) => click(`old-${index}`, code));
  await deliver(redelivered);
  const fresh = Array.from({ length: 74 }, (_, index) => click(`new-${index}`, code));
  const bodies = [
    ...fresh,
    ...redelivered,
    ...fresh.slice(0, 5),
    ...Array.from({ length: 5 }, (_, index) => click(`stray-${index}`, 'nowhere')),
    ...['', '{', '[]', '{"id":"x"}', click('bad', 'a/b')],
    click('poison', code),
  ];

  const response = await deliver(bodies, {
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
  expect(metrics().at(-1)).toEqual({
    ClicksCounted: 74,
    DuplicateClicks: 15,
    FailedClicks: 11,
    DeadLetters: 0,
  });
  expect(await stack.readLink(code)).toEqual({ clicks: 84, days: { [day]: 84 } });
});

it.each([1, 10, 100, 1_000])('a batch of %i is counted', async (size) => {
  const code = await newLink();

  expect(await deliver(clicks(size, code))).toEqual(failed());

  expect(await stack.readLink(code)).toEqual({ clicks: size, days: { [day]: size } });
});
