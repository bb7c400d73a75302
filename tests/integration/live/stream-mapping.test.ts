import { randomUUID } from 'node:crypto';
import {
  DeleteTableCommand,
  DynamoDBClient,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { createTable } from '../../../local/engines/create-table.ts';
import { type RunningDynamoDb, startDynamoDb } from '../../../local/engines/dynamodb.ts';
import {
  findResources,
  type PhysicalResources,
  readTemplate,
  type Template,
} from '../../../local/engines/template.ts';
import { startEventSourceMappings } from '../../../local/stack/event-source-mapping.ts';

const wait = { timeout: 20_000, interval: 50 };
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:push-counts';

let template: Template;
let dynamodb: RunningDynamoDb;
let tableName: string;
let cleanup: AsyncDisposableStack;
let client: DynamoDBClient;
let invoke: ReturnType<typeof vi.fn<(name: string, event: DynamoDBStreamEvent) => Promise<string>>>;
let onError: ReturnType<typeof vi.fn<(error: Error) => void>>;

beforeAll(async () => {
  dynamodb = await startDynamoDb({ engine: inject('engine') });
  // The packaged template's stream mapping.
  const { Resources } = await readTemplate(inject('packageDir'));
  const kept = Object.entries(Resources).filter(
    ([id, { Type }]) => Type !== 'AWS::Lambda::EventSourceMapping' || id.startsWith('PushCounts'),
  );
  template = { Resources: Object.fromEntries(kept) };
  expect(Object.keys(findResources(template, 'AWS::Lambda::EventSourceMapping'))).toHaveLength(1);
});

afterAll(() => dynamodb.stop());

beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  tableName = `click-tally-test-${randomUUID()}`;
  const config = localClientConfig(dynamodb.endpoint);
  client = cleanup.adopt(new DynamoDBClient(config), (client) => client.destroy());
  const streams = cleanup.adopt(new DynamoDBStreamsClient(config), (client) => client.destroy());
  invoke = vi.fn(async () => '{"batchItemFailures":[]}');
  onError = vi.fn();

  const resources: PhysicalResources = {
    ClickTable: await createTable(client, template, tableName),
    PushCountsLambdaFunction: { ref: 'push-counts', attributes: { Arn: functionArn } },
  };
  cleanup.defer(async () => {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  });
  const sqs = undefined as never;
  const options = { template, resources, sqs, streams, onError };
  const mappings = await startEventSourceMappings({
    ...options,
    invoke: (name, event) => invoke(name, event as DynamoDBStreamEvent),
  });
  cleanup.defer(mappings.stop);
});

afterEach(() => cleanup.disposeAsync());

/** Adds a click to each item, in one transaction. */
async function add(...keys: [PK: string, SK: string][]): Promise<void> {
  const TransactItems = keys.map(([PK, SK]) => ({
    Update: {
      TableName: tableName,
      Key: marshall({ PK, SK }),
      UpdateExpression: 'SET digest = :digest ADD clicks :one',
      ExpressionAttributeValues: marshall({ ':one': 1, ':digest': new Uint8Array([1, 2]) }),
    },
  }));
  await client.send(new TransactWriteItemsCommand({ TransactItems }));
}

function describeChange({ eventName, dynamodb }: DynamoDBRecord): string {
  const { PK, SK, clicks } = unmarshall(
    (dynamodb?.NewImage ?? {}) as Parameters<typeof unmarshall>[0],
  );
  return `${eventName} ${PK} ${SK} ${clicks}`;
}

/** The changes that the function received, in order. */
function changes(): string[] {
  return invoke.mock.calls.flatMap(([, { Records }]) => Records.map(describeChange));
}

test('the function gets all changes of links, in order, and no other changes', async () => {
  await add(['LINK#docs', 'META'], ['LINK#docs', 'STAT#2026-11-22'], ['CLICK#1', 'CLICK']);
  await add(['LINK#docs', 'META'], ['CLICK#2', 'CLICK'], ['WATCH#docs', 'CONNECTION#1']);
  await add(['LINK#docs', 'META']);

  await expect.poll(() => changes().length, wait).toBe(4);
  expect(changes().filter((change) => change.includes('META'))).toEqual([
    'INSERT LINK#docs META 1',
    'MODIFY LINK#docs META 2',
    'MODIFY LINK#docs META 3',
  ]);
  expect(changes()).toContain('INSERT LINK#docs STAT#2026-11-22 1');
  expect(onError).not.toHaveBeenCalled();
});

test("a record has the form of Lambda's", async () => {
  await add(['LINK#docs', 'META']);

  await expect.poll(() => invoke.mock.calls.length, wait).toBe(1);
  const [name, event] = invoke.mock.calls[0] ?? [];
  expect(name).toBe('push-counts');
  const digest: AttributeValue = { B: 'AQI=' };
  expect(event).toEqual({
    Records: [
      {
        eventID: expect.any(String),
        eventName: 'INSERT',
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion: 'us-east-1',
        eventSourceARN: expect.stringMatching(
          /^arn:aws:dynamodb:.*:table\/click-tally-test-.*\/stream\/./,
        ),
        dynamodb: {
          ApproximateCreationDateTime: expect.any(Number),
          Keys: { PK: { S: 'LINK#docs' }, SK: { S: 'META' } },
          NewImage: { PK: { S: 'LINK#docs' }, SK: { S: 'META' }, clicks: { N: '1' }, digest },
          SequenceNumber: expect.stringMatching(/^\d+$/),
          SizeBytes: expect.any(Number),
          StreamViewType: 'NEW_IMAGE',
        },
      },
    ],
  });
});

test("a poisoned record is given up, and its shard's other records arrive", async () => {
  invoke.mockImplementation(async (_name, { Records }) => {
    const poisoned = Records.filter(({ dynamodb }) => dynamodb?.Keys?.PK?.S === 'LINK#poison');
    const batchItemFailures = poisoned.map(({ dynamodb }) => ({
      itemIdentifier: dynamodb?.SequenceNumber,
    }));
    return JSON.stringify({ batchItemFailures });
  });

  await add(['LINK#a', 'META'], ['LINK#poison', 'META'], ['LINK#b', 'META'], ['LINK#c', 'META']);

  await expect.poll(() => onError.mock.calls.length, wait).toBe(1);
  await add(['LINK#later', 'META']);
  await expect.poll(() => changes().at(-1), wait).toBe('INSERT LINK#later META 1');
  expect(onError.mock.calls[0]?.[0].message).toMatch(
    /^Gave up on the records (\d+) to \1 of a stream: 3 attempts failed\.$/,
  );
  for (const code of ['a', 'b', 'c']) expect(changes()).toContain(`INSERT LINK#${code} META 1`);
});
