import {
  CreateTableCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { getProperties, type Template } from './template.ts';

const createTimeoutSeconds = 30;

/** Creates ClickTable with the template's keys, indexes, billing mode and time to live. */
export async function createTable(
  client: DynamoDBClient,
  template: Template,
  tableName: string,
): Promise<void> {
  const table = getProperties(template, 'AWS::DynamoDB::Table', 'ClickTable');
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      KeySchema: table.KeySchema,
      AttributeDefinitions: table.AttributeDefinitions,
      GlobalSecondaryIndexes: table.GlobalSecondaryIndexes,
      BillingMode: table.BillingMode,
    }),
  );
  await waitUntilTableExists(
    { client, maxWaitTime: createTimeoutSeconds, minDelay: 1 },
    { TableName: tableName },
  );
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: table.TimeToLiveSpecification,
    }),
  );
}
