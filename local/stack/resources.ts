import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { accountId, localClientConfig, region } from '../engines/aws.ts';
import { createTable } from '../engines/table.ts';
import type { Teardown } from '../engines/teardown.ts';
import { findResources, type PhysicalResources, type Template } from '../engines/template.ts';
import type { Engines } from './engines.ts';
import { createQueues } from './queues.ts';

export interface ResourcesOptions {
  template: Template;
  engines: Engines;
  sqs: SQSClient;
  tableName: string;
  teardown: Teardown;
}

/** Creates what the template describes, the functions apart, and returns what each has become. */
export async function createResources({
  template,
  engines: { dynamodb, queues, bus },
  sqs,
  tableName,
  teardown,
}: ResourcesOptions): Promise<PhysicalResources> {
  const client = new DynamoDBClient(localClientConfig(dynamodb.endpoint));
  await createTable(client, template, tableName);
  // An engine that was there before stays, so the table must go.
  const stop = async () => {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
    client.destroy();
  };
  await teardown.use({ stop });
  const queueResources = await createQueues(sqs, queues.url, template);
  const busResources = await bus.createBuses(template, queueResources);
  return { ...queueResources, ...busResources, ...describeFunctions(template) };
}

function describeFunctions(template: Template): PhysicalResources {
  const functions = Object.entries(findResources(template, 'AWS::Lambda::Function'));
  return Object.fromEntries(
    functions.map(([id, { FunctionName: ref }]) => {
      const Arn = `arn:aws:lambda:${region}:${accountId}:function:${ref}`;
      return [id, { ref, attributes: { Arn } }];
    }),
  );
}
