import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { maxClicksInEnvelope } from '../../../lib/clicks/records.ts';
import { projectDir } from '../../../local/engines/serverless.ts';
import { failed, patientMs, useAggregator } from '../../helpers/aggregator.ts';
import { at, day, makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';
import { type Fault, serviceError } from '../../helpers/faults.ts';
import { marker } from '../../helpers/items.ts';
import { useQueues } from '../../helpers/queues.ts';

const run = useAggregator();
const maxReceiveCount = 3;
const queues = useQueues('ClickDLQ');
const sendLettersTo = (name: string) => vi.stubEnv('CLICK_DLQ_URL', queues.urlOf(name));

beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', new URL(queues.urlOf('ClickDLQ')).origin);
  sendLettersTo('ClickDLQ');
});

/** Delivers messages to a new instance, for the `attempt`th time. */
function deliver(bodies: string[], attempt = 1, fault: Fault = {}) {
  const event = makeBatch(bodies, attempt);
  return run.deliverEvent(event, fault);
}

/** Takes all dead letters, each with its event and its attributes. */
function takeLetters() {
  const letters = queues.read('ClickDLQ').map(({ body, messageAttributes }) => {
    const { FirstSentTimestamp, Reason } = messageAttributes;
    return {
      body,
      reason: Reason?.StringValue,
      firstSentMs: Number(FirstSentTimestamp?.StringValue),
    };
  });
  queues.clear();
  return letters;
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

describe('each click of an envelope counts once', () => {
  test('on its own link and day, with ids in sheets and in markers of their own, beside a single click', async () => {
    const [one, two] = [await run.createLink(), await run.createLink()];
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

describe('a click that would fail again is sent on alone, and its neighbours count', () => {
  test.each<[string, reason: string, unknown]>([
    ['an invalid code', 'invalid-click', { clickId: 'bad', code: 'a/b', at }],
    ['an unknown link', 'unknown-link', { clickId: 'lost', code: 'nowhere', at }],
    ['an id that another click has', 'changed-click', { clickId: 'used', code: 'nowhere', at }],
    ['null', 'invalid-click', null],
  ])('with %s: %s', async (_, reason, poison) => {
    const code = await run.createLink();
    const [first, ...others] = makeNested(3, code);
    await run.table.put(marker('used', 'another', day));

    const envelope = makeEnvelope([first, poison, ...others]);
    const response = await deliver([envelope]);

    expect(response).toEqual(failed());
    expect(await run.readLink(code)).toEqual({ clicks: 3, days: { [day]: 3 } });
    expect(lastCounts()).toEqual([3, 0, 1, 1]);
    expect(run.failures()).toMatchObject([{ reason, isSentOn: true, attempt: 1 }]);
    const letters = takeLetters();
    expect(letters).toMatchObject([{ reason }]);
    const { id, ...event } = JSON.parse(envelope);
    const hasId = 'clickId' in Object(poison);
    const expected = { ...event, ...(hasId && { id }), detail: poison };
    expect(JSON.parse(letters[0]?.body ?? '')).toEqual(expected);
  });

  test('and counts on its own day after the cause is gone, once, even from two dead letters', async () => {
    const code = await run.createLink();
    const early = { clickId: 'early', code: 'not-yet', at: '2026-05-20T10:00:00Z' };
    const envelope = makeEnvelope([...makeNested(2, code), early]);

    // The second delivery is of a message that SQS didn't delete in time.
    await deliver([envelope]);
    await deliver([envelope], 2);
    const letters = takeLetters();
    await run.createLink('not-yet');
    const response = await deliver(letters.map(({ body }) => body));

    expect(letters).toHaveLength(2);
    expect(response).toEqual(failed());
    const counted = { clicks: 1, days: { '2026-05-20': 1 } };
    expect(await run.readLink('not-yet')).toEqual(counted);
    expect(await run.readLink(code)).toMatchObject({ clicks: 2 });
  });

  test.each([
    ['1764227000000', '1764225000000', 1764225000000],
    ['1764227000000', 'long ago', 1764227000000],
  ])("with its message's first arrival, which a redrive may have kept", async (sent, kept, ms) => {
    const event = makeBatch([makeEnvelope(['poison'])]);
    for (const record of event.Records) {
      record.attributes.SentTimestamp = sent;
      const FirstSentTimestamp = { stringValue: kept, dataType: 'Number' as const };
      record.messageAttributes = { FirstSentTimestamp };
    }

    await run.deliverEvent(event);

    expect(takeLetters()).toMatchObject([{ firstSentMs: ms }]);
  });
});

describe('an envelope comes back whole', () => {
  test('if one click may succeed later, and reports the others only once', async () => {
    const code = await run.createLink();
    const envelope = makeEnvelope([
      ...makeNested(4, code),
      { clickId: 'lost', code: 'nowhere', at },
    ]);
    const fault = faultOf(`${code}-1`, () => serviceError('InternalServerError', 500));

    const busy = await run.deliverEvent(makeBatch([envelope]), fault, 300);
    const early = { counts: lastCounts(), letters: takeLetters() };
    const again = await deliver([envelope], 2);

    expect([busy, early]).toEqual([failed(0), { counts: expect.anything(), letters: [] }]);
    expect([again, takeLetters()]).toEqual([failed(), [expect.anything()]]);
    expect(await run.readLink(code)).toEqual({ clicks: 4, days: { [day]: 4 } });
    const counted = run.metrics().map(({ ClicksCounted }) => Number(ClicksCounted ?? 0));
    expect(counted.reduce((sum, count) => sum + count)).toBe(4);
    expect(run.metrics().some((metrics) => 'DuplicateClicks' in metrics)).toBe(false);
  });

  test('if the dead-letter queue does not take a click, and is sent on later', async () => {
    const code = await run.createLink();
    const envelope = makeEnvelope([
      ...makeNested(2, code),
      { clickId: 'lost', code: 'nowhere', at },
    ]);
    sendLettersTo('Missing');

    const refused = await deliver([envelope, makeClick(`${code}-alone`, code)]);

    expect([refused, takeLetters()]).toEqual([failed(0), []]);
    expect(lastCounts()).toEqual([3, 0, 1, 0]);
    expect(run.logged()).toMatchObject([
      { message: 'clicks not sent on to the dead letters' },
      { message: 'click not confirmed', reason: 'unknown-link' },
    ]);
    sendLettersTo('ClickDLQ');
    expect(await deliver([envelope], 2)).toEqual(failed());
    expect(takeLetters()).toMatchObject([{ reason: 'unknown-link' }]);
    expect(await run.readLink(code)).toMatchObject({ clicks: 3 });
  });

  test('until its last attempt, at which a click that DynamoDB refuses is sent on alone', async () => {
    const code = await run.createLink();
    const envelope = makeEnvelope(makeNested(3, code));
    const fault = faultOf(`${code}-1`, () => serviceError('ValidationException', 400));

    const earlier = await deliver([envelope], maxReceiveCount - 1, fault);
    const last = await deliver([envelope], maxReceiveCount, fault);

    expect([earlier, last]).toEqual([failed(0), failed()]);
    expect(run.metrics().map(listCounts)).toEqual([
      [2, 0, 1, 0],
      [0, 0, 1, 1],
    ]);
    const [letter, ...others] = takeLetters();
    expect([letter?.reason, others]).toEqual(['not-committed', []]);
    expect(await deliver([letter?.body ?? ''])).toEqual(failed());
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
    const refused = run.failures().map(({ reason, detail }) => [reason, detail.slice(0, 23)]);
    expect(refused).toEqual([
      ['invalid-click', 'expected "detail.clicks'],
      ['invalid-click', 'expected "detail.clicks'],
      ['invalid-click', 'expected "detail.code" '],
      ['invalid-click', 'expected the message to'],
    ]);
    expect(takeLetters()).toEqual([]);
  });
});
