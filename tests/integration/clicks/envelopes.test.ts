import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { maxClicksInEnvelope } from '../../../lib/clicks/envelope-limit.ts';
import { projectDir } from '../../../local/engines/serverless.ts';
import { failed, patientMs, useAggregator } from '../../helpers/aggregator.ts';
import { at, day, makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';
import { conflictAt, type Fault, serviceError } from '../../helpers/faults.ts';
import { marker } from '../../helpers/items.ts';
import { useQueues } from '../../helpers/queues.ts';
import { type Answer, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

const run = useAggregator();
const maxReceiveCount = 3;
const queues = useQueues('ClickDLQ');
const sendDeadLettersTo = (name: string) => vi.stubEnv('CLICK_DLQ_URL', queues.urlOf(name));

beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', new URL(queues.urlOf('ClickDLQ')).origin);
  sendDeadLettersTo('ClickDLQ');
});

/** Delivers messages to a new instance, for the `attempt`th time. */
function deliver(bodies: string[], attempt = 1, fault: Fault = {}) {
  const event = makeBatch(bodies, attempt);
  return run.deliverEvent(event, fault);
}

/** Takes all dead letters, each with its event and its attributes. */
function takeDeadLetters() {
  const deadLetters = queues.read('ClickDLQ').map(({ body, messageAttributes }) => {
    const { FirstSentTimestamp, Reason } = messageAttributes;
    return {
      body,
      reason: Reason?.StringValue,
      firstSentMs: Number(FirstSentTimestamp?.StringValue),
    };
  });
  queues.clear();
  return deadLetters;
}

/** A batch's counted, duplicate, failed and dead clicks. */
const listCounts = (metrics: Record<string, unknown>) =>
  ['ClicksCounted', 'DuplicateClicks', 'FailedClicks', 'DeadLetters'].map(
    (name) => metrics[name] ?? 0,
  );
const lastCounts = () => listCounts(run.metrics().at(-1) ?? {});

/** A fault that hits only the transaction with this marker. */
const faultOf = (id: string, error: () => Error): Fault => ({
  before: (input) => (JSON.stringify(input).includes(`CLICK#${id}"`) ? error() : undefined),
});

/** A conflict that lasts, on one link. */
const conflictOn = (code: string): Fault => ({
  before: (input) => conflictAt(`LINK#${code}`, input),
});

describe('each click of an envelope counts once', () => {
  test('on its own link and day, with ids in sheets and in markers of their own, beside a single click', async () => {
    const one = await run.createLink();
    const two = await run.createLink();
    const place = createClickIds();
    const dayBefore = { code: two, at: '2026-05-25T01:00:00Z' };
    const clicks = [
      ...makeNested(maxClicksInEnvelope - 120, one),
      ...makeNested(60, two, { at: '2026-05-25T23:30:00-01:00' }),
      ...Array.from({ length: 60 }, () => ({ ...place(two), ...dayBefore })),
    ];
    const bodies = [makeEnvelope(clicks), makeClick('alone', two)];

    const response = await run.deliver(bodies, {}, patientMs);

    expect(response).toEqual(failed());
    expect(await run.readLink(one)).toEqual({ clicks: 380, days: { [day]: 380 } });
    const days = { [day]: 61, '2026-05-25': 60 };
    expect(await run.readLink(two)).toEqual({ clicks: 121, days });
    expect(lastCounts()).toEqual([501, 0, 0, 0]);
  });

  test('and writes three items for a hundred clicks on a link, with the ids that the page for producers mints', async () => {
    const page = await readFile(path.join(projectDir, 'docs/producers.md'), 'utf8');
    const [, code = ''] =
      /^```js\n(.*?export function mintClickIds.*?)^```$/ms.exec(
        page.slice(page.indexOf('### Ids that share a marker')),
      ) ?? [];
    const { mintClickIds } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const link = await run.createLink();
    const ids: string[] = mintClickIds(100);
    const clicks = ids.map((clickId) => ({ clickId, code: link, at }));
    const items: number[] = [];
    const count = ({ TransactItems = [] }: { TransactItems?: unknown[] }) => {
      items.push(TransactItems.length);
      return undefined;
    };

    await deliver([makeEnvelope(clicks)], 1, { before: (input) => count(input as object) });
    await deliver([makeEnvelope(clicks)]);

    // The sheet, the link and its day, at two units each.
    expect(items).toEqual([3]);
    expect(await run.readLink(link)).toEqual({ clicks: 100, days: { [day]: 100 } });
  });

  test('however the producer groups them when it sends them again', async () => {
    const code = await run.createLink();
    const clicks = makeNested(9, code);
    const alone = makeClick(`${code}-8`, code);

    await deliver([makeEnvelope(clicks)]);
    const responses = [
      await deliver([makeEnvelope(clicks.slice(3).reverse()), alone]),
      await deliver([makeEnvelope([...clicks, ...clicks]), makeEnvelope(clicks)]),
    ];

    expect(responses).toEqual([failed(), failed()]);
    expect(await run.readLink(code)).toEqual({ clicks: 9, days: { [day]: 9 } });
    expect(lastCounts()).toEqual([0, 27, 0, 0]);
  });
});

describe('a click that would fail again becomes a dead letter without its neighbours, which count', () => {
  test.each<[string, reason: string, unknown]>([
    ['an invalid code', 'invalid-click', { clickId: 'bad', code: 'a/b', at }],
    ['an unknown link', 'unknown-link', { clickId: 'lost', code: 'nowhere', at }],
    ['an id that another click has', 'changed-click', { clickId: 'used', code: 'nowhere', at }],
    ['null', 'invalid-click', null],
  ])('with %s: %s', async (_, reason, invalid) => {
    const code = await run.createLink();
    const [first, ...others] = makeNested(3, code);
    await run.table.put(marker('used', 'another', day));

    const envelope = makeEnvelope([first, invalid, ...others]);
    const response = await deliver([envelope]);

    expect(response).toEqual(failed());
    expect(await run.readLink(code)).toEqual({ clicks: 3, days: { [day]: 3 } });
    expect(lastCounts()).toEqual([3, 0, 1, 1]);
    expect(run.failures()).toMatchObject([{ reason, isForwarded: true, clicks: 1, attempt: 1 }]);
    const deadLetters = takeDeadLetters();
    expect(deadLetters).toMatchObject([{ reason }]);
    expect(deadLetters[0]?.body).toBe(makeEnvelope([invalid]));
  });

  test('together with those that fail for the same reason, in one dead letter and one line of the log', async () => {
    const code = await run.createLink();
    const lost = makeNested(20, 'nowhere');
    const invalid = Array.from({ length: 200 }, () => null);

    const response = await deliver([makeEnvelope([...invalid, ...makeNested(2, code), ...lost])]);

    expect(response).toEqual(failed());
    const bodies = takeDeadLetters().map(({ reason, body }) => [reason, body]);
    expect(Object.fromEntries(bodies)).toEqual({
      'invalid-click': makeEnvelope(invalid),
      'unknown-link': makeEnvelope(lost),
    });
    expect(run.failures()).toMatchObject([{ clicks: 200 }, { clicks: 20, clickId: 'nowhere-0' }]);
    expect(lastCounts()).toEqual([2, 0, 220, 220]);
  });

  test('and counts on its own day after the cause is gone, once, even from two dead letters', async () => {
    const code = await run.createLink();
    const early = { clickId: 'early', code: 'not-yet', at: '2026-05-20T10:00:00Z' };
    const envelope = makeEnvelope([...makeNested(2, code), early]);

    // The second delivery is of a message that SQS didn't delete in time.
    await deliver([envelope]);
    await deliver([envelope], 2);
    const deadLetters = takeDeadLetters();
    await run.createLink('not-yet');
    const response = await deliver(deadLetters.map(({ body }) => body));

    expect(deadLetters).toHaveLength(2);
    expect(response).toEqual(failed());
    const counted = { clicks: 1, days: { '2026-05-20': 1 } };
    expect(await run.readLink('not-yet')).toEqual(counted);
    expect(await run.readLink(code)).toMatchObject({ clicks: 2 });
  });

  test.each([
    ['1764227000000', '1764225000000', 1764225000000],
    ['1764227000000', 'long ago', 1764227000000],
  ])("with its message's first arrival, which a redrive may have kept", async (sent, kept, ms) => {
    const code = await run.createLink();
    const event = makeBatch([makeEnvelope(['invalid', ...makeNested(1, code)])]);
    for (const record of event.Records) {
      record.attributes.SentTimestamp = sent;
      const FirstSentTimestamp = { stringValue: kept, dataType: 'Number' as const };
      record.messageAttributes = { FirstSentTimestamp };
    }

    await run.deliverEvent(event);

    expect(takeDeadLetters()).toMatchObject([{ firstSentMs: ms }]);
  });
});

/** A queue's answer, after which a minute seems to have passed. */
const answerLate = (body: string): Answer => {
  const answer = answerJson(200, { MessageId: 'one', MD5OfMessageBody: hash('md5', body) });
  return (response) => {
    const lateMs = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockReturnValue(lateMs);
    answer(response);
  };
};

/** Replaces the dead-letter queue by one that answers like this. */
async function scriptDeadLetterQueue(answer: Answer) {
  const { url, bodies } = await startScriptedService(answer);
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', url);
  vi.stubEnv('CLICK_DLQ_URL', `${url}/000000000000/ClickDLQ`);
  return bodies;
}

describe('an envelope comes back whole', () => {
  const deadLetter = makeEnvelope([null]);
  const makeMixed = (code: string) => makeEnvelope([null, ...makeNested(1, code)]);

  test('if none of its clicks can be counted', async () => {
    const envelope = makeEnvelope([null, { clickId: 'lost', code: 'nowhere', at }]);

    expect(await deliver([envelope])).toEqual(failed(0));
    expect(lastCounts()).toEqual([0, 0, 2, 0]);
    expect(takeDeadLetters()).toEqual([]);
  });

  test.each<[string, object]>([
    ['nothing', {}],
    ['no id', { MD5OfMessageBody: hash('md5', deadLetter) }],
    ['no hash', { MessageId: 'one' }],
    ["another message's hash", { MessageId: 'one', MD5OfMessageBody: hash('md5', '{}') }],
  ])('if a success of the dead-letter queue has %s', async (_, body) => {
    await scriptDeadLetterQueue(answerJson(200, body));

    expect(await deliver([makeMixed(await run.createLink())])).toEqual(failed(0));
    expect(lastCounts()).toEqual([1, 0, 1, 0]);
  });

  test('if there is no time left for its dead letter', async () => {
    const sent = await scriptDeadLetterQueue(answerLate(deadLetter));

    const response = await deliver(Array(51).fill(makeMixed(await run.createLink())));

    vi.restoreAllMocks();
    expect(sent).toHaveLength(50);
    expect(response.batchItemFailures).toHaveLength(1);
  });

  test('if a click ran out of time, at the last attempt, too', async () => {
    const code = await run.createLink();
    const busy = await run.createLink();
    const envelope = makeEnvelope([...makeNested(3, code), ...makeNested(1, busy)]);
    const event = makeBatch([envelope], maxReceiveCount);

    expect(await run.deliverEvent(event, conflictOn(busy), 600)).toEqual(failed(0));
    expect(run.failures()).toMatchObject([{ reason: 'out-of-time', clicks: 1 }]);
    expect(lastCounts()).toEqual([3, 0, 1, 1]);
    expect(takeDeadLetters()).toEqual([]);
  });

  test('beside others of its batch that count later', async () => {
    const code = await run.createLink();
    const invalid = makeEnvelope(Array(maxClicksInEnvelope).fill(null));

    const response = await deliver([invalid, makeEnvelope(makeNested(2, code)), 'broken']);

    expect(response).toEqual(failed(2, 0));
    expect(await run.readLink(code)).toMatchObject({ clicks: 2 });
  });

  test('if there is no time left for it, and single clicks and earlier envelopes count', async () => {
    const code = await run.createLink();
    const other = await run.createLink();
    const bodies = [
      makeEnvelope(makeNested(maxClicksInEnvelope, code)),
      makeEnvelope(makeNested(2, other)),
      makeClick(`${code}-single`, code),
    ];
    const context = makeContext();
    const isOver: Fault = {
      after: () => {
        context.getRemainingTimeInMillis = () => 0;
        return undefined;
      },
    };

    const response = await run.deliverEvent(makeBatch(bodies), isOver, patientMs, context);

    expect(response).toEqual(failed(1));
    expect(await run.readLink(code)).toEqual({ clicks: 501, days: { [day]: 501 } });
    expect(await run.readLink(other)).toEqual({ clicks: 0, days: {} });
    expect(run.failures()).toMatchObject([{ reason: 'out-of-time', clicks: 2 }]);
    expect(lastCounts()).toEqual([501, 0, 2, 0]);
  });

  test('if one click may succeed later, beside one that cannot, and reports the others only once', async () => {
    const code = await run.createLink();
    const busy = await run.createLink();
    const envelope = makeEnvelope([...makeNested(4, code), null, ...makeNested(1, busy)]);

    const early = await run.deliverEvent(makeBatch([envelope]), conflictOn(busy), 600);

    expect(early).toEqual(failed(0));
    expect(lastCounts()).toEqual([4, 0, 2, 0]);
    expect(takeDeadLetters()).toEqual([]);
    expect(await deliver([envelope], 2)).toEqual(failed());
    expect(lastCounts()).toEqual([1, 0, 1, 1]);
    expect(takeDeadLetters()).toMatchObject([{ reason: 'invalid-click' }]);
    expect(await run.readLink(code)).toEqual({ clicks: 4, days: { [day]: 4 } });
    expect(await run.readLink(busy)).toMatchObject({ clicks: 1 });
  });

  test('if the dead-letter queue does not take a click, and becomes a dead letter later', async () => {
    const code = await run.createLink();
    const envelope = makeEnvelope([
      ...makeNested(2, code),
      { clickId: 'lost', code: 'nowhere', at },
    ]);
    sendDeadLettersTo('Missing');

    const rejected = await deliver([envelope, makeClick(`${code}-alone`, code)]);

    expect(rejected).toEqual(failed(0));
    expect(takeDeadLetters()).toEqual([]);
    expect(lastCounts()).toEqual([3, 0, 1, 0]);
    expect(run.logged()).toMatchObject([
      { message: 'clicks not forwarded to the dead letters' },
      { message: 'click not counted yet', reason: 'unknown-link' },
    ]);
    sendDeadLettersTo('ClickDLQ');
    expect(await deliver([envelope], 2)).toEqual(failed());
    expect(takeDeadLetters()).toMatchObject([{ reason: 'unknown-link' }]);
    expect(await run.readLink(code)).toMatchObject({ clicks: 3 });
  });

  test('until its last attempt, at which a click that DynamoDB rejects becomes a dead letter alone', async () => {
    const code = await run.createLink();
    const envelope = makeEnvelope(makeNested(3, code));
    const fault = faultOf(`${code}-1`, () => serviceError('ValidationException', 400));

    const earlier = await deliver([envelope], maxReceiveCount - 1, fault);
    const last = await deliver([envelope], maxReceiveCount, fault);

    expect(earlier).toEqual(failed(0));
    expect(last).toEqual(failed());
    expect(run.metrics().map(listCounts)).toEqual([
      [2, 0, 1, 0],
      [0, 0, 1, 1],
    ]);
    const [deadLetter, ...others] = takeDeadLetters();
    expect(deadLetter?.reason).toBe('not-committed');
    expect(others).toEqual([]);
    expect(await deliver([deadLetter?.body ?? ''])).toEqual(failed());
    expect(await run.readLink(code)).toMatchObject({ clicks: 3 });
  });

  const click = { clickId: 'one', code: 'abcd', at };
  test('if it cannot be opened', async () => {
    const bodies = [
      makeEnvelope([]),
      makeEnvelope(Array(maxClicksInEnvelope + 1).fill(0)),
      makeEnvelope([click], { code: 'abcd' }),
      makeEnvelope([click]).padEnd(65_537),
    ];

    expect(await deliver(bodies)).toEqual(failed(0, 1, 2, 3));
    const rejected = run.failures().map(({ reason, detail }) => [reason, detail.slice(0, 23)]);
    expect(rejected).toEqual([
      ['invalid-click', 'expected "detail.clicks'],
      ['invalid-click', 'expected "detail.clicks'],
      ['invalid-click', 'expected "detail.code" '],
      ['invalid-click', 'expected the message to'],
    ]);
    expect(takeDeadLetters()).toEqual([]);
  });
});
