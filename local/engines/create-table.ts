import {
  CreateTableCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { getProperties, type PhysicalResource, type Template } from './template.ts';

const createTimeoutSeconds = 30;

/**
 * Creates ClickTable with the template's keys, indexes, billing mode, stream and time to live, and
 * describes it. Leave the stream out to measure speed: dynoxide slows down with each stream record.
 */
export async function createTable(
  client: DynamoDBClient,
  template: Template,
  tableName: string,
  { hasStream = true }: { hasStream?: boolean } = {},
): Promise<PhysicalResource> {
  const table = getProperties(template, 'AWS::DynamoDB::Table', 'ClickTable');
  const { TableDescription = {} } = await client.send(
    new CreateTableCommand({
      TableName: tableName,
      KeySchema: table.KeySchema,
      AttributeDefinitions: table.AttributeDefinitions,
      GlobalSecondaryIndexes: table.GlobalSecondaryIndexes,
      BillingMode: table.BillingMode,
      ProvisionedThroughput: table.ProvisionedThroughput,
      ...(hasStream && {
        StreamSpecification: table.StreamSpecification && {
          ...table.StreamSpecification,
          StreamEnabled: true,
        },
      }),
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
  const { TableArn: Arn = '', LatestStreamArn: StreamArn } = TableDescription;
  return { ref: tableName, attributes: { Arn, ...(StreamArn && { StreamArn }) } };
}
