import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { createBacklogReader } from '../../../lib/live/backlog.ts';
import { useOutput } from '../../helpers/output.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

type Depths = [visible?: string, inFlight?: string];

const output = useOutput();
const start = Date.parse('2026-11-22T07:00:00.000Z');
const some: Record<string, Depths> = {
  ...{ ClickQueue: ['4', '2'], ClickDLQ: ['4', '1'], ClickRuleDLQ: ['7', '0'] },
  ...{ 'ClickQueue-2': ['10', '50'], 'ClickQueue-3': ['100', '0'] },
};
const seen = { waiting: 6, setAside: 12, readAt: '2026-11-22T07:00:00.000Z' };
/** The queues' numbers. */
let depths: Record<string, Depths>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  depths = some;
});
afterEach(() => void vi.useRealTimers());

/** An environment's reader, and its requests to SQS. */
async function startReader(...clickQueues: string[]) {
  const { url, bodies } = await startScriptedService((response) => {
    const { QueueUrl } = bodies.at(-1) as { QueueUrl: string };
    const [visible, inFlight] = depths[QueueUrl.split('/').at(-1) ?? ''] ?? [];
    const Attributes = {
      ApproximateNumberOfMessages: visible,
      ApproximateNumberOfMessagesNotVisible: inFlight,
    };
    answerJson(200, { Attributes })(response);
  });
  const urlOf = (name: string) => `${url}/000000000000/${name}`;
  const waiting = ['ClickQueue', ...clickQueues].map(urlOf);
  const queueUrls = { waiting, setAside: ['ClickDLQ', 'ClickRuleDLQ'].map(urlOf) };
  const sqs = new SQSClient({ ...localClientConfig(url), maxAttempts: 1 });
  return { read: createBacklogReader(sqs, queueUrls), requests: bodies };
}

test('the backlog includes every click queue', async () => {
  const { read } = await startReader('ClickQueue-2', 'ClickQueue-3');

  expect(await read()).toEqual({ ...seen, waiting: 166 });
});

test('it is read once in three seconds', async () => {
  const { read, requests } = await startReader();

  await Promise.all([read(), read()]);
  vi.setSystemTime(start + 2_999);
  expect(await read()).toEqual(seen);
  expect(requests).toHaveLength(3);

  vi.setSystemTime(start + 3_000);
  depths = { ...some, ClickQueue: ['0', '0'] };
  expect(await read()).toEqual({ ...seen, waiting: 0, readAt: '2026-11-22T07:00:03.000Z' });
});

test.each([undefined, '12 or so', '-1'])(
  'while a queue reports %s messages, it is the last known one',
  async (got) => {
    const { read, requests } = await startReader();
    await read();
    depths = { ...some, ClickQueue: [got, '2'] };

    vi.setSystemTime(start + 3_000);
    expect([await read(), await read()]).toEqual([seen, seen]);
    expect(requests).toHaveLength(6);
    const message = 'The queues could not be read; using the last known backlog.';
    const expected = 'expected ApproximateNumberOfMessages of the queue to be a number; got ';
    const error = { message: `${expected}${got ?? 'nothing'}` };
    expect(output.lines()).toMatchObject([{ message, error }]);

    depths = some;
    vi.setSystemTime(start + 6_000);
    expect(await read()).toMatchObject({ readAt: '2026-11-22T07:00:06.000Z' });
  },
);

test('if SQS has never answered in time, it is unknown', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
  const { read } = await startReader();

  expect(await read()).toBeUndefined();
});
