import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { startTable, type TestTable } from '../../helpers/engine.ts';
import { serviceError } from '../../helpers/faults.ts';
import { call } from '../../helpers/http-api.ts';
import { recordOutput } from '../../helpers/output.ts';

type Handler = typeof import('../../../functions/get-link-stats.ts').handler;
type SendArguments = Parameters<typeof DynamoDBDocumentClient.prototype.send>;

const url = 'https://example.com/';
const sendUnwatched = DynamoDBDocumentClient.prototype.send;
let table: TestTable;
let document: DynamoDBDocumentClient;
let handler: Handler;
let output: ReturnType<typeof recordOutput>;

beforeAll(async () => {
  table = await startTable();
  document = DynamoDBDocumentClient.from(table.client);
  // The requests of the test itself are not watched.
  document.send = sendUnwatched;
  stubAwsEnvironment({ TABLE_NAME: table.tableName, AWS_ENDPOINT_URL_DYNAMODB: table.endpoint });
  handler = (await import('../../../functions/get-link-stats.ts')).handler;
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await table?.stop();
});

beforeEach(() => {
  output = recordOutput();
});

afterEach(() => {
  vi.restoreAllMocks();
  output.undo();
});

const put = (Item: object) => document.send(new PutCommand({ TableName: table.tableName, Item }));
const putLink = (code: string, clicks: number) =>
  put({ PK: `LINK#${code}`, SK: 'META', url, createdAt: '2026-01-01T00:00:00Z', clicks });
const putDay = (code: string, day: string, count: number) =>
  put({ PK: `LINK#${code}`, SK: `STAT#${day}`, count });

/** Stores a link's days, `count` of them with one click each. */
async function putDays(code: string, count: number) {
  const items = Array.from({ length: count }, (_, index) => {
    const date = new Date(index * 86_400_000).toISOString().slice(0, 'yyyy-mm-dd'.length);
    return { PutRequest: { Item: { PK: `LINK#${code}`, SK: `STAT#${date}`, count: 1 } } };
  });
  while (items.length > 0) {
    const RequestItems = { [table.tableName]: items.splice(0, 25) };
    await document.send(new BatchWriteCommand({ RequestItems }));
  }
}

/** Counts one click, as the aggregator does. */
async function commit(code: string, day: string) {
  const add = (SK: string, attribute: string) => ({
    Update: {
      TableName: table.tableName,
      Key: { PK: `LINK#${code}`, SK },
      UpdateExpression: 'ADD #attribute :one',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':one': 1 },
    },
  });
  const TransactItems = [add('META', 'clicks'), add(`STAT#${day}`, 'count')];
  await document.send(new TransactWriteCommand({ TransactItems }));
}

/**
 * Calls `before` with the kind and number of each request of the function, such as "Query 1", and
 * lists them. The function reads total and days in parallel; here it reads the days second.
 */
function watchRequests(before: (request: string) => Promise<unknown> | undefined): string[] {
  const requests: string[] = [];
  const total = Promise.withResolvers<void>();
  const watched = async function (this: DynamoDBDocumentClient, ...args: SendArguments) {
    const kind = args[0].constructor.name.replace('Command', '');
    requests.push(`${kind} ${requests.filter((other) => other.startsWith(kind)).length + 1}`);
    const request = requests.at(-1) ?? '';
    if (kind === 'Query') await total.promise;
    await before(request);
    const answer = await sendUnwatched.apply(this, args);
    if (kind === 'Get') total.resolve();
    return answer;
  };
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(
    watched as typeof sendUnwatched,
  );
  return requests;
}

/** Reads a link's statistics and returns the answer with the metrics and log lines. */
async function readStats(code: string, queryStringParameters?: Record<string, string>) {
  const { statusCode, body } = await call(handler, {
    pathParameters: { code },
    queryStringParameters,
  });
  const lines = output.lines();
  return {
    statusCode,
    clicks: body.clicks,
    days: body.days.length,
    metrics: lines.filter((line) => '_aws' in line),
    logged: lines.filter((line) => 'level' in line),
  };
}

const alarm = (code: string, clicks: number, sum: number) => ({
  metrics: [expect.objectContaining({ CounterDrift: 1, service: 'click-tally', stage: 'test' })],
  logged: [expect.objectContaining({ level: 'ERROR', code, clicks, sum })],
});
const silence = { metrics: [], logged: [] };

test('a total that somebody changed by hand alarms, and the answer has it unchanged', async () => {
  await putLink('drifted', 7);
  await putDay('drifted', '2026-05-25', 4);
  await putDay('drifted', '2026-05-26', 2);

  expect(await readStats('drifted')).toEqual({
    statusCode: 200,
    clicks: 7,
    days: 2,
    ...alarm('drifted', 7, 6),
  });
});

test('a total that is the sum of its days is not read a second time', async () => {
  await putLink('sound', 6);
  await putDay('sound', '2026-05-26', 6);
  const requests = watchRequests(async () => {});

  expect(await readStats('sound')).toMatchObject(silence);
  expect(requests.toSorted()).toEqual(['Get 1', 'Query 1']);
});

test('a range of days is not compared with the total', async () => {
  await putLink('narrow', 2);
  await putDay('narrow', '2026-05-25', 1);
  await putDay('narrow', '2026-05-26', 1);

  const requests = watchRequests(async () => {});

  expect(await readStats('narrow', { from: '2026-05-26' })).toMatchObject({ days: 1, ...silence });
  expect(requests.toSorted()).toEqual(['Get 1', 'Query 1']);
});

test('a commit between the reads of total and days is no drift', async () => {
  await putLink('between', 0);
  const requests = watchRequests((request) =>
    request === 'Query 1' ? commit('between', '2026-05-26') : undefined,
  );

  expect(await readStats('between')).toMatchObject({ clicks: 0, days: 1, ...silence });
  expect(requests).toContain('TransactGet 1');
});

test.each([
  ['on a day that it reads', 3, '1970-01-03'],
  ['on a new day', 3, '2026-05-27'],
  ['on a day that one transaction cannot hold', 130, '1970-01-01'],
])('a commit during the second read, %s, is no drift', async (_, days, day) => {
  const code = `amid-${days}-${day}`;
  await putDays(code, days);
  await putLink(code, days);
  const requests = watchRequests((request) => {
    if (request === 'Query 1') return commit(code, '2026-05-26');
    return request === 'TransactGet 1' ? commit(code, day) : undefined;
  });

  expect(await readStats(code)).toMatchObject({ clicks: days, days: days + 1, ...silence });
  expect(requests).toContain('TransactGet 1');
});

test('a commit in flight during the second read is no drift', async () => {
  await putLink('under-way', 7);
  watchRequests(async (request) => {
    if (request === 'TransactGet 1') {
      throw new TransactionCanceledException({ message: 'conflict', $metadata: {} });
    }
  });

  expect(await readStats('under-way')).toMatchObject({ clicks: 7, ...silence });
});

test('a link with more days than one transaction can read alarms too', async () => {
  await putDays('many-days', 130);
  await putLink('many-days', 131);

  expect(await readStats('many-days')).toMatchObject({
    days: 130,
    ...alarm('many-days', 131, 130),
  });
});

test('a failed second read leaves the answer unchanged and raises no alarm', async () => {
  await putLink('unread', 7);
  watchRequests(async (request) => {
    if (request === 'TransactGet 1') throw serviceError('AccessDeniedException', 400);
  });

  expect(await readStats('unread')).toEqual({
    statusCode: 200,
    clicks: 7,
    days: 0,
    metrics: [],
    logged: [expect.objectContaining({ level: 'WARN', code: 'unread' })],
  });
});
