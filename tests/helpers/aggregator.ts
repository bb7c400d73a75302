import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { makeContext } from '../../evidence/kit/lambda-context.ts';
import { makeBatch } from '../../evidence/kit/sqs-events.ts';
import { createCommitClient } from '../../lib/idempotency/index.ts';
import { localClientConfig } from '../../local/engines/aws.ts';
import { findResources, readTemplate } from '../../local/engines/template.ts';
import { startTable } from './engine.ts';
import { type Fault, injectFault } from './faults.ts';
import { recordOutput } from './output.ts';

/** The instant and the UTC day of every click that {@link makeClick} makes. */
export const at = '2026-05-26T10:00:00Z';
export const day = '2026-05-26';

/** The body of a message with a click. */
export const makeClick = (id: string, code: string, changes = {}) =>
  JSON.stringify({ id, detail: { code, at, ...changes } });

/** The bodies of `count` clicks of one link. */
export const makeClicks = (count: number, code: string) =>
  Array.from({ length: count }, (_, index) => makeClick(`${code}-${index}`, code));

/** The response that reports the messages at these positions of the batch as failed. */
export const failed = (...indexes: number[]) => ({
  batchItemFailures: indexes.map((index) => ({ itemIdentifier: `message-${index}` })),
});

/** Starts a table and aggregators over it for the tests of a file, and records their output. */
export function useAggregator() {
  const running = {} as {
    stack: Awaited<ReturnType<typeof startAggregator>>;
    output: ReturnType<typeof recordOutput>;
  };
  beforeAll(async () => {
    running.stack = await startAggregator();
  });
  afterAll(() => running.stack?.stop());
  beforeEach(() => {
    running.output = recordOutput();
  });
  afterEach(() => running.output.undo());

  return Object.assign(running, {
    /** The metrics of each invocation in this test. */
    metrics: () =>
      running.output
        .lines()
        .filter((line) => '_aws' in line)
        .map(({ _aws, service, stage, ...values }) => values),

    /** The log lines about messages that were not counted in this test. */
    failures: () => running.output.lines().filter(({ message }) => message === 'click not counted'),
  });
}

async function startAggregator() {
  const table = await startTable();
  const config = localClientConfig(table.endpoint);
  Object.assign(process.env, await readEnvironment('aggregate-clicks'), {
    TABLE_NAME: table.tableName,
    AWS_REGION: config.region,
  });
  const { createHandler } = await import('../../functions/aggregate-clicks.ts');
  const { tableName: TableName, client } = table;
  let links = 0;

  /** An execution environment that has never run, with a client of its own. */
  const newInstance = (useClient: (client: DynamoDBClient) => void = () => {}) => {
    const ownClient = createCommitClient(config);
    useClient(ownClient);
    return createHandler(ownClient);
  };

  /** Creates a link and returns its code, by default one that no other test has. */
  const createLink = async (code = `link-${links++}`) => {
    const Item = marshall({
      PK: `LINK#${code}`,
      SK: 'META',
      url: 'https://example.com',
      clicks: 0,
    });
    await client.send(new PutItemCommand({ TableName, Item }));
    return code;
  };

  return {
    stop: table.stop,
    client,
    newInstance,
    createLink,

    /** Hands one batch to a new instance, whose requests to DynamoDB meet a fault. */
    deliver(bodies: string[], fault: Fault = {}, timeoutMs = 5_000) {
      const instance = newInstance((ownClient) => injectFault(ownClient, fault));
      return instance(makeBatch(bodies), makeContext(timeoutMs));
    },

    /** The stored total and days of a link. */
    async readLink(code: string) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'PK = :pk',
          ExpressionAttributeValues: marshall({ ':pk': `LINK#${code}` }),
          ConsistentRead: true,
        }),
      );
      const items = Items.map((item) => unmarshall(item));
      const days = items.filter(({ SK }) => SK.startsWith('STAT#'));
      return {
        clicks: items.find(({ SK }) => SK === 'META')?.clicks,
        days: Object.fromEntries(days.map(({ SK, count }) => [SK.slice('STAT#'.length), count])),
      };
    },

    async readMarker(id: string) {
      const Key = marshall({ PK: `CLICK#${id}`, SK: 'CLICK' });
      const { Item } = await client.send(
        new GetItemCommand({ TableName, Key, ConsistentRead: true }),
      );
      return Item && unmarshall(Item);
    },

    async writeMarker(id: string, ttl: number) {
      const Item = marshall({ PK: `CLICK#${id}`, SK: 'CLICK', ttl });
      await client.send(new PutItemCommand({ TableName, Item }));
    },
  };
}

/** The variables of the packaged function, without those that only a deployed stack knows. */
async function readEnvironment(name: string): Promise<Record<string, string>> {
  const functions = findResources(
    await readTemplate(inject('packageDir')),
    'AWS::Lambda::Function',
  );
  const found = Object.values(functions).find(({ FunctionName }) => FunctionName.endsWith(name));
  const { Variables = {} } = (found as { Environment?: { Variables?: object } }).Environment ?? {};
  return Object.fromEntries(
    Object.entries(Variables).filter(([, value]) => typeof value === 'string'),
  );
}
