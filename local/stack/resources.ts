import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { accountId, localClientConfig, region } from '../../cli/local-aws.ts';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';
import { createTable } from '../engines/create-table.ts';
import { findResources, type PhysicalResources, type Template } from '../engines/template.ts';
import type { EventBusServer } from './event-bus.ts';
import { createQueues } from './queues.ts';

/** Creates the template's table, queues and buses, and describes its functions too. */
export async function createResources(
  template: Template,
  { dynamodbEndpoint, sqsEndpoint, tableName }: StackOutputs,
  { sqs, bus, cleanup }: { sqs: SQSClient; bus: EventBusServer; cleanup: AsyncDisposableStack },
): Promise<PhysicalResources> {
  const client = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  cleanup.defer(() => client.destroy());
  const ClickTable = await createTable(client, template, tableName);
  // The engine at DYNAMODB_ENDPOINT outlives the stack; the table must not.
  cleanup.defer(async () => {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  });
  const queueResources = await createQueues(sqs, sqsEndpoint, template);
  const busResources = await bus.createBuses(template, queueResources);
  return { ClickTable, ...queueResources, ...busResources, ...describeFunctions(template) };
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
