import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { localClientConfig } from '../../../cli/local-aws.ts';
import type { Stage } from './world.ts';

const createTimeoutSeconds = 30;

/** Creates the two tables at an engine. */
export async function createStage(endpoint: string): Promise<Stage & AsyncDisposable> {
  const client = new DynamoDBClient(localClientConfig(endpoint));
  const suffix = crypto.randomUUID();
  const recordTable = `idempotency-${suffix}`;
  const orderTable = `orders-${suffix}`;
  await createTable(client, recordTable, ['id']);
  await createTable(client, orderTable, ['PK', 'SK']);
  return {
    endpoint,
    recordTable,
    orderTable,
    // An engine that ran before goes on running.
    [Symbol.asyncDispose]: async () => {
      for (const TableName of [recordTable, orderTable]) {
        await client.send(new DeleteTableCommand({ TableName }));
      }
      client.destroy();
    },
  };
}

async function createTable(client: DynamoDBClient, TableName: string, keys: string[]) {
  const KeySchema = keys.map(
    (AttributeName, index): KeySchemaElement => ({
      AttributeName,
      KeyType: index === 0 ? 'HASH' : 'RANGE',
    }),
  );
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema,
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    }),
  );
  const patience = { client, maxWaitTime: createTimeoutSeconds, minDelay: 1 };
  await waitUntilTableExists(patience, { TableName });
}
