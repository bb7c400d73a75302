import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { localClientConfig } from '../../local/engines/aws.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { createTable } from '../../local/engines/table.ts';
import { readTemplate } from '../../local/engines/template.ts';

export interface TestTable {
  client: DynamoDBClient;
  endpoint: string;
  tableName: string;
  stop(): Promise<void>;
}

/** Starts an empty ClickTable for one test file, on the engine of its vitest project. */
export async function startTable(): Promise<TestTable> {
  const { endpoint, stop: stopEngine } = await startDynamoDb({ engine: inject('engine') });
  const client = new DynamoDBClient(localClientConfig(endpoint));
  const tableName = `click-tally-test-${randomUUID()}`;
  await createTable(client, await readTemplate(inject('packageDir')), tableName);
  const stop = async () => {
    // An engine that ran before the test goes on running, so the table must be deleted.
    await client.send(new DeleteTableCommand({ TableName: tableName }));
    client.destroy();
    await stopEngine();
  };
  return { client, endpoint, tableName, stop };
}
