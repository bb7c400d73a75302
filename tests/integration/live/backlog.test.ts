import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { createBacklogReader } from '../../../lib/live/backlog.ts';
import { call } from '../../helpers/http-api.ts';
import { useOutput } from '../../helpers/output.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { useTable } from '../../helpers/test-table.ts';

type Depths = [visible: number, inFlight: number, delayed: number];

const table = useTable({}, ['GetBacklog']);
const output = useOutput();
const key = { PK: 'BACKLOG', SK: 'BACKLOG' };
const start = Date.parse('2026-11-22T07:00:00.000Z');
let nowMs: number;

beforeEach(() => {
  nowMs = start;
});

afterEach(async () => {
  vi.resetModules();
  await table.client.send(
    new DeleteItemCommand({ TableName: table.tableName, Key: marshall(key) }),
  );
});

/** Queues with these depths, which a test can change. A queue without depths fails. */
async function startQueues(depths: Record<string, Depths | undefined>) {
  const held: (() => void)[] = [];
  const release = () => {
    for (const answer of held.splice(0)) answer();
  };
  const queues = { depths, holds: false, release };
  const service = await startScriptedService((response) => {
    const { QueueUrl } = service.bodies.at(-1) as { QueueUrl: string };
    const [visible, inFlight, delayed] = queues.depths[QueueUrl.split('/').at(-1) ?? ''] ?? [];
    const Attributes = {
      ApproximateNumberOfMessages: visible?.toString(),
      ApproximateNumberOfMessagesNotVisible: inFlight?.toString(),
      ApproximateNumberOfMessagesDelayed: delayed?.toString(),
    };
    const answer = () => answerJson(200, { Attributes })(response);
    if (queues.holds) held.push(answer);
    else answer();
  });
  return Object.assign(queues, { url: service.url, requests: service.bodies });
}

type Queues = Awaited<ReturnType<typeof startQueues>>;

/** An instance of get-backlog with its own cache, and its requests. */
function startInstance({ url }: Queues, clickQueues = 1) {
  const client = DynamoDBDocumentClient.from(table.client);
  const sqs = new SQSClient({ ...localClientConfig(url), maxAttempts: 1 });
  const [onTable, onQueues] = [vi.spyOn(client, 'send'), vi.spyOn(sqs, 'send')];
  const read = createBacklogReader({
    table: { client, tableName: table.tableName },
    sqs,
    queueUrls: {
      clickQueue: `${url}/000000000000/ClickQueue`,
      clickQueues,
      deadLetterQueues: [`${url}/000000000000/ClickDLQ`, `${url}/000000000000/ClickRuleDLQ`],
    },
    now: () => nowMs,
  });
  return { read, onTable, onQueues };
}

const some: Record<string, Depths> = {
  ...{ ClickQueue: [3, 2, 1], ClickDLQ: [4, 1, 9], ClickRuleDLQ: [7, 0, 9] },
  ...{ 'ClickQueue-2': [10, 20, 30], 'ClickQueue-3': [0, 0, 0], 'ClickQueue-4': [100, 0, 0] },
};
const none = {};
const seen = { waiting: 6, setAside: 12, readAt: '2026-11-22T07:00:00.000Z' };

describe('the backlog', () => {
  test('includes every click queue, and expires a day after it was last read', async () => {
    const queues = await startQueues(some);

    expect(await startInstance(queues, 4).read()).toEqual({ ...seen, waiting: 166 });

    expect(await table.get(key.PK, key.SK)).toEqual({
      ...{ ...key, ...seen, waiting: 166, leasedUntilMs: start + 3_000 },
      ttl: Date.parse('2026-11-23T07:00:00Z') / 1_000,
    });
  });

  test('is read once in three seconds for all viewers', async () => {
    const queues = await startQueues(some);
    await startInstance(queues).read();

    nowMs = start + 2_999;
    const backlogs = await Promise.all([1, 2, 3].map(() => startInstance(queues).read()));

    expect(backlogs).toEqual([seen, seen, seen]);
    expect(queues.requests).toHaveLength(3);
  });

  test('is read again after three seconds, by a single viewer', async () => {
    const queues = await startQueues(some);
    await startInstance(queues).read();
    queues.depths = { ...some, ClickQueue: [0, 0, 0] };
    queues.holds = true;

    nowMs = start + 3_000;
    const backlogs = [startInstance(queues).read(), startInstance(queues).read()];
    const first = await Promise.race(backlogs);
    await expect.poll(() => queues.requests).toHaveLength(6);
    queues.release();

    expect(first).toEqual(seen);
    expect(await Promise.all(backlogs)).toContainEqual({
      ...{ waiting: 0, setAside: 12 },
      readAt: '2026-11-22T07:00:03.000Z',
    });
    expect(queues.requests).toHaveLength(6);
  });

  test('is cached for a second by each instance', async () => {
    const queues = await startQueues(some);
    await startInstance(queues).read();
    const { read, onTable } = startInstance(queues);

    await Promise.all([read(), read()]);
    nowMs = start + 999;
    await read();
    expect(onTable).toHaveBeenCalledTimes(1);

    nowMs = start + 1_000;
    await read();
    expect(onTable).toHaveBeenCalledTimes(2);
  });

  test('is the last known one while SQS fails, and SQS is asked again after three seconds', async () => {
    const queues = await startQueues(some);
    await startInstance(queues).read();
    queues.depths = none;

    nowMs = start + 3_000;
    const [asking, waiting] = [startInstance(queues), startInstance(queues)];
    expect(await asking.read()).toEqual(seen);
    expect(await waiting.read()).toEqual(seen);
    expect(asking.onQueues).toHaveBeenCalled();
    expect(waiting.onQueues).not.toHaveBeenCalled();

    queues.depths = some;
    nowMs = start + 6_000;
    const readAt = '2026-11-22T07:00:06.000Z';
    expect(await startInstance(queues).read()).toMatchObject({ readAt });
    const message = 'The queues could not be read; using the last known backlog.';
    const error = { message: expect.stringContaining('got nothing') };
    expect(output.lines()).toMatchObject([{ message, error }]);
  });

  test('does not replace a newer one if it was read too slowly', async () => {
    const queues = await startQueues(some);
    queues.holds = true;
    const slow = startInstance(queues).read();
    await expect.poll(() => queues.requests).toHaveLength(3);

    nowMs = start + 3_000;
    queues.holds = false;
    await startInstance(queues).read();
    queues.release();

    expect(await slow).toEqual(seen);
    expect(await table.get(key.PK, key.SK)).toMatchObject({ readAt: '2026-11-22T07:00:03.000Z' });
  });
});

test.each([
  ['the backlog', some, 200, { waiting: 6, setAside: 12 }],
  [
    '503 if the queues have never been read',
    none,
    503,
    { message: expect.stringMatching(/^The q/) },
  ],
])('GET /live/backlog answers with %s', async (_, depths, statusCode, body) => {
  const { url } = await startQueues(depths);
  vi.stubEnv('CLICK_QUEUE_URL', `${url}/000000000000/ClickQueue`);
  vi.stubEnv('CLICK_QUEUES', '1');
  vi.stubEnv('CLICK_DLQ_URL', `${url}/000000000000/ClickDLQ`);
  vi.stubEnv('CLICK_RULE_DLQ_URL', `${url}/000000000000/ClickRuleDLQ`);
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', url);
  const { handler } = await import('../../../functions/get-backlog.ts');

  const answer = await call(handler, { routeKey: 'GET /live/backlog' });

  expect(answer).toMatchObject({ statusCode, body });
});
