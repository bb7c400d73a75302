import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { createBacklogReader } from '../../../lib/live/backlog.ts';
import { useOutput } from '../../helpers/output.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { useTable } from '../../helpers/test-table.ts';

type Depths = [visible: number, inFlight: number, delayed: number];

const table = useTable();
const output = useOutput();
const key = { PK: 'BACKLOG', SK: 'BACKLOG' };
const start = Date.parse('2026-11-22T07:00:00.000Z');
const some: Record<string, Depths> = {
  ...{ ClickQueue: [3, 2, 1], ClickDLQ: [4, 1, 9], ClickRuleDLQ: [7, 0, 9] },
  ...{ 'ClickQueue-2': [10, 20, 30], 'ClickQueue-3': [0, 0, 0], 'ClickQueue-4': [100, 0, 0] },
};
const seen = { waiting: 6, setAside: 12, readAt: '2026-11-22T07:00:00.000Z' };

let nowMs: number;
/** The queues' numbers. A queue without them fails. */
let depths: Record<string, Depths | undefined>;
let url: string;
let requests: unknown[];
/** Answers that wait until a test sends them, if there are any. */
let held: (() => void)[] | undefined;

beforeEach(async () => {
  [nowMs, depths, held] = [start, some, undefined];
  const service = await startScriptedService((response) => {
    const { QueueUrl } = service.bodies.at(-1) as { QueueUrl: string };
    const [visible, inFlight, delayed] = depths[QueueUrl.split('/').at(-1) ?? ''] ?? [];
    const Attributes = {
      ApproximateNumberOfMessages: visible?.toString(),
      ApproximateNumberOfMessagesNotVisible: inFlight?.toString(),
      ApproximateNumberOfMessagesDelayed: delayed?.toString(),
    };
    const answer = () => answerJson(200, { Attributes })(response);
    if (held) held.push(answer);
    else answer();
  });
  ({ url, bodies: requests } = service);
});

afterEach(async () => {
  const { client, tableName: TableName } = table;
  await client.send(new DeleteItemCommand({ TableName, Key: marshall(key) }));
});

const queueUrlOf = (name: string) => `${url}/000000000000/${name}`;

/** Reads the backlog in a new instance of get-backlog. */
function readOnce(clickQueues = 1) {
  const client = DynamoDBDocumentClient.from(table.client);
  const sqs = new SQSClient({ ...localClientConfig(url), maxAttempts: 1 });
  const deadLetterQueues = ['ClickDLQ', 'ClickRuleDLQ'].map(queueUrlOf);
  const read = createBacklogReader({
    ...{ sqs, table: { client, tableName: table.tableName }, now: () => nowMs },
    queueUrls: { clickQueue: queueUrlOf('ClickQueue'), clickQueues, deadLetterQueues },
  });
  return read();
}

describe('the backlog', () => {
  test('includes every click queue, and expires a day after it was last read', async () => {
    expect(await readOnce(4)).toEqual({ ...seen, waiting: 166 });

    expect(await table.get(key.PK, key.SK)).toEqual({
      ...{ ...key, ...seen, waiting: 166, leasedUntilMs: start + 3_000 },
      ttl: Date.parse('2026-11-23T07:00:00Z') / 1_000,
    });
  });

  test('is read once in three seconds for all viewers, and then again by a single one', async () => {
    await readOnce();
    nowMs = start + 2_999;
    expect(await Promise.all([readOnce(), readOnce()])).toEqual([seen, seen]);
    expect(requests).toHaveLength(3);
    depths = { ...some, ClickQueue: [0, 0, 0] };
    held = [];

    nowMs = start + 3_000;
    const backlogs = [readOnce(), readOnce()];
    const first = await Promise.race(backlogs);
    await expect.poll(() => requests).toHaveLength(6);
    for (const answer of held) answer();

    expect(first).toEqual(seen);
    const readAt = '2026-11-22T07:00:03.000Z';
    expect(await Promise.all(backlogs)).toContainEqual({ waiting: 0, setAside: 12, readAt });
    expect(requests).toHaveLength(6);
  });

  test('is the last known one while SQS fails, and SQS is asked again after three seconds', async () => {
    await readOnce();
    depths = {};

    nowMs = start + 3_000;
    expect([await readOnce(), await readOnce()]).toEqual([seen, seen]);

    depths = some;
    nowMs = start + 6_000;
    expect(await readOnce()).toMatchObject({ readAt: '2026-11-22T07:00:06.000Z' });
    const message = 'The queues could not be read; using the last known backlog.';
    const error = { message: expect.stringContaining('got nothing') };
    expect(output.lines()).toMatchObject([{ message, error }]);
  });
});
