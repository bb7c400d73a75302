import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type StackOutputs, writeStackFile } from '../../cli/terminal/running-stack.ts';
import { accountId, localClientConfig, region } from '../../loopback/local-aws.ts';
import { findFreePort, loopback } from '../../loopback/ports.ts';
import { stopOnceStarted } from '../../loopback/stoppable.ts';
import { createTable } from '../engines/create-table.ts';
import { startDynamoDb } from '../engines/dynamodb.ts';
import { stackQueueUrls, startQueueServer } from '../engines/queue-server.ts';
import {
  findResources,
  loadTemplate,
  type PhysicalResources,
  type Template,
} from '../engines/template.ts';
import { startEventBus } from './event-bus.ts';
import { createRules } from './event-rules.ts';
import { startEventSourceMappings } from './event-source-mapping.ts';
import { type FunctionsOptions, startFunctions } from './functions.ts';
import { createQueues } from './queues.ts';
import { type IssuerOptions, startTokenIssuer } from './token-issuer.ts';

export interface StackOptions extends FunctionsOptions {
  /** The API's port; by default a free one. */
  port?: number;
  /** Holds the outputs as JSON while the stack runs. */
  stackFile?: string;
  onProgress?: (text: string) => void;
}

/** The stand-ins for AWS services. */
type Engines = Awaited<ReturnType<typeof startEngines>>;

export type LocalStack = Awaited<ReturnType<typeof startStack>>;

/**
 * Starts the whole service on this machine from the same serverless.yml that is deployed, and waits
 * until it is ready.
 * @throws Error if any part fails to start, after stopping all the others.
 */
export async function startStack(options: StackOptions = {}) {
  await using cleanup = new AsyncDisposableStack();
  const stack = await assemble(options, cleanup);
  const running = cleanup.move();
  return { ...stack, stop: () => running.disposeAsync() };
}

async function assemble(options: StackOptions, cleanup: AsyncDisposableStack) {
  const { onProgress = ignore, onError = ignore } = options;
  const port = options.port ?? (await findFreePort());
  const engines = await startEngines({ apiPort: port, onError }, cleanup);
  onProgress(
    `DynamoDB (${engines.dynamodb.engine}), SQS, EventBridge and a token issuer are running`,
  );

  const outputs = await nameOutputs(engines, port);
  const building = [
    loadTemplate('local', options.params),
    cleanup.adopt(startFunctions(options, outputs, engines.issuer), stopOnceStarted),
  ] as const;
  // If one fails, the other must end before the cleanup begins.
  await Promise.allSettled(building);
  const [template, functions] = await Promise.all(building);
  onProgress('The functions and their API are running');

  const sqs = new SQSClient(localClientConfig(engines.queues.url));
  const resources = await createResources(template, outputs, sqs, cleanup);
  createRules(engines.bus, template, resources, { sqs, onError });
  const streams = new DynamoDBStreamsClient(localClientConfig(outputs.dynamodbEndpoint));
  cleanup.defer(() => streams.destroy());
  const mappings = { template, resources, sqs, streams, invoke: functions.invoke, onError };
  await startEventSourceMappings(mappings, cleanup);
  onProgress(
    "The table, the queues and the bus are ready; polling ClickQueue and the table's stream",
  );

  if (options.stackFile) cleanup.defer(await writeStackFile(options.stackFile, outputs));
  const { issueToken } = engines.issuer;
  return { outputs, issueToken };
}

/** Creates the template's table and queues, and describes its bus, functions and log groups. */
async function createResources(
  template: Template,
  { dynamodbEndpoint, sqsEndpoint, tableName, busName }: StackOutputs,
  sqs: SQSClient,
  cleanup: AsyncDisposableStack,
): Promise<PhysicalResources> {
  const client = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  cleanup.defer(() => client.destroy());
  const ClickTable = await createTable(client, template, tableName);
  // The engine at DYNAMODB_ENDPOINT outlives the stack; the table must not.
  cleanup.defer(async () => {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  });
  const queues = await createQueues(sqs, sqsEndpoint, template);
  const functions = Object.entries(findResources(template, 'AWS::Lambda::Function'));
  const logGroups = Object.entries(findResources(template, 'AWS::Logs::LogGroup'));
  const others = [
    ...functions.map(([id, { FunctionName: ref }]) => [id, ref, 'lambda', `function:${ref}`]),
    ...logGroups.map(([id, { LogGroupName: ref }]) => [id, ref, 'logs', `log-group:${ref}:*`]),
  ].map(([id, ref, service, name]) => {
    const Arn = `arn:aws:${service}:${region}:${accountId}:${name}`;
    return [id, { ref, attributes: { Arn } }];
  });
  return { ClickTable, ClickBus: { ref: busName }, ...queues, ...Object.fromEntries(others) };
}

/**
 * Starts DynamoDB, SQS, EventBridge and a token issuer, each empty and on a free port. `cleanup`
 * stops them, even those that are still starting when another one fails.
 */
async function startEngines(issuerOptions: IssuerOptions, cleanup: AsyncDisposableStack) {
  const [dynamodb, queues, bus, issuer] = await Promise.all([
    cleanup.adopt(startDynamoDb(), stopOnceStarted),
    cleanup.adopt(startQueueServer(), stopOnceStarted),
    cleanup.adopt(startEventBus(), stopOnceStarted),
    cleanup.adopt(startTokenIssuer(issuerOptions), stopOnceStarted),
  ]);
  return { dynamodb, queues, bus, issuer };
}

/** Names everything before the template exists, so that it and the functions build in parallel. */
async function nameOutputs(engines: Engines, port: number): Promise<StackOutputs> {
  const { dynamodb, queues, bus, issuer } = engines;
  return {
    api: `http://${loopback}:${port}`,
    liveUrl: `ws://${loopback}:${await findFreePort()}`,
    token: await issuer.issueToken(),
    otherToken: await issuer.issueToken({ subject: 'other-local-user' }),
    dynamodbEndpoint: dynamodb.endpoint,
    sqsEndpoint: queues.url,
    eventsEndpoint: bus.url,
    region,
    // The engine at DYNAMODB_ENDPOINT may hold the table of another stack.
    tableName: `ClickTable-${randomUUID()}`,
    ...stackQueueUrls(queues.url),
    busName: 'ClickBus',
  };
}

function ignore(): void {}
