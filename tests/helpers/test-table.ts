import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { commitEffects } from 'powertools-idempotency-transactional';
import { beforeAll, inject, vi } from 'vitest';
import { chunk } from '../../lib/chunk.ts';
import { clickEffects } from '../../lib/clicks/click.ts';
import { createTable } from '../../local/engines/create-table.ts';
import { readTemplate } from '../../local/engines/template.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { stubAwsEnvironment } from './aws-environment.ts';
import { type Item, marker } from './items.ts';
import { type Guarded, startRoleGuard } from './role-guard.ts';

const writeBatchSize = 25;
const patientMs = 60_000;

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

export type TestTable = Awaited<ReturnType<typeof startTable>>;

/**
 * Starts a table for a test file and points imported functions to it. With `guarded`, these functions
 * run under their roles.
 */
export function useTable(
  variables: Readonly<Record<string, string>> = {},
  guarded: Guarded = [],
): TestTable {
  const table = {} as TestTable;
  beforeAll(async () => {
    Object.assign(table, await startTable());
    const { tableName: TABLE_NAME, endpoint } = table;
    const guard = guarded.length > 0 ? await startRoleGuard(endpoint, guarded) : undefined;
    const AWS_ENDPOINT_URL_DYNAMODB = guard?.url ?? endpoint;
    stubAwsEnvironment({ TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB, ...variables });
    return async () => {
      vi.unstubAllEnvs();
      await table.stop();
      await guard?.stop();
    };
  });
  return table;
}

/** Imports a module for a test file, once its environment is complete. Call it after {@link useTable}. */
export function useModule<T extends object>(load: () => Promise<T>): T {
  const exported = {} as T;
  beforeAll(async () => void Object.assign(exported, await load()));
  return exported;
}

/** Creates an empty ClickTable for one test file, on the engine of its vitest project. */
export async function startTable() {
  const endpoint = inject('endpoint');
  const client = new DynamoDBClient(localClientConfig(endpoint));
  const TableName = `click-tally-test-${randomUUID()}`;
  const template = await readTemplate(inject('packageDir'));
  // No test of a table reads its stream, with which dynoxide slows down.
  await createTable(client, template, TableName, { hasStream: false });

  const database = DynamoDBDocumentClient.from(client);
  /** Counts one click of a day or an instant, as the aggregator does. */
  const countClick = async (code: string, time: string) => {
    const day = time.slice(0, 'yyyy-mm-dd'.length);
    const at = time === day ? `${day}T12:00:00.000Z` : time;
    const click = { id: randomUUID(), code, at, day, breakdowns: [], counters: [] };
    const tables = { [TableName]: ['PK', 'SK'] };
    const effects = {
      ...clickEffects(click),
      writes: [{ Put: { Item: marker(click.id, code, day) } }],
    };
    await commitEffects(effects, {
      awsSdkV3Client: client,
      tables,
      deadlineMs: Date.now() + patientMs,
    });
  };
  const stop = async () => {
    await client.send(new DeleteTableCommand({ TableName }));
    client.destroy();
  };
  const items = { ...accessItems(database, TableName), countClick };
  return { client, database, endpoint, tableName: TableName, ...items, stop };
}

function accessItems(database: DynamoDBDocumentClient, TableName: string) {
  const write = async (requests: WriteRequest[]) => {
    for (const some of chunk(requests, writeBatchSize)) {
      await database.send(new BatchWriteCommand({ RequestItems: { [TableName]: some } }));
    }
  };
  const put = (...items: Item[]) => write(items.map((Item) => ({ PutRequest: { Item } })));
  const get = async (PK: string, SK: string) => {
    const read = new GetCommand({ TableName, Key: { PK, SK }, ConsistentRead: true });
    return (await database.send(read)).Item;
  };
  /** Reads a partition's items, sorted by SK. */
  const list = async (PK: string) => {
    const query = new QueryCommand({
      TableName,
      KeyConditionExpression: 'PK = :pk',
      ConsistentRead: true,
      ExpressionAttributeValues: { ':pk': PK },
    });
    return (await database.send(query)).Items ?? [];
  };
  const scan = async () => (await database.send(new ScanCommand({ TableName }))).Items ?? [];
  const empty = async () =>
    write((await scan()).map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } })));
  return { put, get, list, scan, empty };
}
