import { randomUUID } from 'node:crypto';
import {
  DeleteTableCommand,
  DynamoDBClient,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { expect, inject, test } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { createTable } from '../../../local/engines/create-table.ts';
import { startDynamoDb } from '../../../local/engines/dynamodb.ts';
import { readTemplate } from '../../../local/engines/template.ts';
import { startEventSourceMappings } from '../../../local/stack/event-source-mapping.ts';

const tableName = `click-tally-test-${randomUUID()}`;
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:push-counts';

/** The packaged template without the mappings of queues. */
async function readStreamTemplate() {
  const { Resources } = await readTemplate(inject('packageDir'));
  const kept = Object.entries(Resources).filter(
    ([id, { Type }]) => Type !== 'AWS::Lambda::EventSourceMapping' || id.startsWith('PushCounts'),
  );
  return { Resources: Object.fromEntries(kept) };
}

/** Adds a click to each item, in one transaction. */
async function add(client: DynamoDBClient, ...keys: [PK: string, SK: string][]): Promise<void> {
  const TransactItems = keys.map(([PK, SK]) => ({
    Update: {
      TableName: tableName,
      Key: marshall({ PK, SK }),
      UpdateExpression: 'ADD clicks :one',
      ExpressionAttributeValues: marshall({ ':one': 1 }),
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

test('push-counts gets all changes of links, in order, and no other changes', async () => {
  await using cleanup = new AsyncDisposableStack();
  const { endpoint, stop } = await startDynamoDb({ engine: inject('engine') });
  cleanup.defer(stop);
  const config = localClientConfig(endpoint);
  const client = cleanup.adopt(new DynamoDBClient(config), (opened) => opened.destroy());
  const streams = cleanup.adopt(new DynamoDBStreamsClient(config), (opened) => opened.destroy());
  const template = await readStreamTemplate();
  const resources = {
    ClickTable: await createTable(client, template, tableName),
    PushCountsLambdaFunction: { ref: 'push-counts', attributes: { Arn: functionArn } },
  };
  cleanup.defer(async () => {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  });
  const changes: string[] = [];
  const errors: Error[] = [];
  const mappings = await startEventSourceMappings({
    ...{ template, resources, sqs: undefined as never, streams },
    invoke: async (_name, event) => {
      changes.push(...(event as DynamoDBStreamEvent).Records.map(describeChange));
      return '{"batchItemFailures":[]}';
    },
    onError: (error) => errors.push(error),
  });
  cleanup.defer(mappings.stop);

  await add(client, ['LINK#docs', 'META'], ['LINK#docs', 'STAT#2026-11-22'], ['CLICK#1', 'CLICK']);
  await add(client, ['LINK#docs', 'META'], ['WATCH#docs', 'CONNECTION#1']);
  await add(client, ['LINK#docs', 'META']);

  await expect.poll(() => changes, { timeout: 20_000 }).toHaveLength(4);
  expect(changes.filter((change) => change.includes('META'))).toEqual([
    'INSERT LINK#docs META 1',
    'MODIFY LINK#docs META 2',
    'MODIFY LINK#docs META 3',
  ]);
  expect(changes).toContain('INSERT LINK#docs STAT#2026-11-22 1');
  expect(errors).toEqual([]);
});
