import {
  CreateTableCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { getProperties, type PhysicalResource, type Template } from './template.ts';

const createTimeoutSeconds = 30;

/**
 * Creates ClickTable, or the template's table with another `logicalId`, with the template's keys, indexes, billing mode, stream and time to live, and
 * describes it. Leave the stream out to measure speed: dynoxide slows down with each stream record.
 */
export async function createTable(
  client: DynamoDBClient,
  template: Template,
  TableName: string,
  { hasStream = true, logicalId = 'ClickTable' }: { hasStream?: boolean; logicalId?: string } = {},
): Promise<PhysicalResource> {
  const table = getProperties(template, 'AWS::DynamoDB::Table', logicalId);
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } = table;
  const { ProvisionedThroughput, StreamSpecification: stream, TimeToLiveSpecification } = table;
  const { TableDescription = {} } = await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema,
      AttributeDefinitions,
      GlobalSecondaryIndexes,
      BillingMode,
      ProvisionedThroughput,
      ...(hasStream && stream && { StreamSpecification: { ...stream, StreamEnabled: true } }),
    }),
  );
  const patience = { client, maxWaitTime: createTimeoutSeconds, minDelay: 1 };
  await waitUntilTableExists(patience, { TableName });
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const { TableArn: Arn = '', LatestStreamArn: StreamArn } = TableDescription;
  return { ref: TableName, attributes: { Arn, ...(StreamArn && { StreamArn }) } };
}
