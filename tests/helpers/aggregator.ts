import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { inject } from 'vitest';
import { createCommitClient } from '../../lib/idempotency/index.ts';
import { localClientConfig } from '../../local/engines/aws.ts';
import { findResources, readTemplate } from '../../local/engines/template.ts';
import { startTable } from './engine.ts';

/** Everything that a test needs to hand batches to the aggregator and to see what it stored. */
export async function startAggregator() {
  const table = await startTable();
  const config = localClientConfig(table.endpoint);
  Object.assign(process.env, await readEnvironment('aggregate-clicks'), {
    TABLE_NAME: table.tableName,
    AWS_REGION: config.region,
  });
  const { createHandler } = await import('../../functions/aggregate-clicks.ts');
  const { tableName: TableName, client } = table;

  return {
    stop: table.stop,
    client,
    tableName: TableName,

    /** A function instance that has never run, over a client of its own. */
    newInstance(useClient: (client: DynamoDBClient) => void = () => {}) {
      const ownClient = createCommitClient(config);
      useClient(ownClient);
      return createHandler(ownClient);
    },

    async createLink(code: string) {
      const Item = marshall({
        PK: `LINK#${code}`,
        SK: 'META',
        url: 'https://example.com',
        clicks: 0,
      });
      await client.send(new PutItemCommand({ TableName, Item }));
    },

    /** The sum and the days of a link, as they are stored. */
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

/** The variables that the packaged function gets, but for those that only a deployed stack knows. */
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
