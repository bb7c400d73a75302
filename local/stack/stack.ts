import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type StackOutputs, writeStackFile } from '../../cli/terminal/running-stack.ts';
import { accountId, localClientConfig, region, standbyRegion } from '../../loopback/local-aws.ts';
import { findFreePort, loopback } from '../../loopback/ports.ts';
import { stopOnceStarted } from '../../loopback/stoppable.ts';
import { createTable } from '../engines/create-table.ts';
import { stackQueueUrls } from '../engines/queue-server.ts';
import {
  findResources,
  loadTemplate,
  type PhysicalResources,
  type Template,
} from '../engines/template.ts';
import { type Engines, startEngines } from './engines.ts';
import { createRules } from './event-rules.ts';
import { startEventSourceMappings } from './event-source-mapping.ts';
import { describeHome, type FunctionsOptions, startFunctions } from './functions.ts';
import { createQueues } from './queues.ts';
import { startStandby } from './standby.ts';
import { startTokenIssuer, type TokenIssuer } from './token-issuer.ts';
import { type Servers, startTwoRegions } from './two-regions.ts';

export interface StackOptions extends FunctionsOptions {
  /** The API's port; by default a free one. */
  port?: number;
  /** Whether there is a standby in a second Region, behind a front that fails over. */
  hasStandby?: boolean;
  /** Holds the outputs as JSON while the stack runs. */
  stackFile?: string;
  onProgress?: (text: string) => void;
}

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
  const { onProgress = ignore, hasStandby = false } = options;
  const port = options.port ?? (await findFreePort());
  const [engines, issuer] = await Promise.all([
    startEngines(cleanup),
    cleanup.adopt(startTokenIssuer({ apiPort: port, onError: options.onError }), stopOnceStarted),
  ]);
  onProgress(
    `DynamoDB (${engines.dynamodb.engine}), SQS, EventBridge and a token issuer are running`,
  );

  // A front has the port of the API, if there is one.
  const httpPort = hasStandby ? await findFreePort() : port;
  const ports = { httpPort, websocketPort: await findFreePort() };
  const own = nameServers(engines, ports);
  const regions = hasStandby ? await startTwoRegions(own, port, cleanup) : undefined;
  const { servers = own, home, standby } = regions ?? {};
  const outputs = await nameOutputs(servers, issuer, standby?.outputs);
  const onError = (error: Error) => {
    if (!home?.isDisturbed()) options.onError?.(error);
  };
  const building = [
    loadTemplate('local', { ...options.params, ...(hasStandby && { standbyRegion }) }),
    cleanup.adopt(startFunctions(options, describeHome(outputs, issuer, ports)), stopOnceStarted),
    standby && startStandby(standby, { ...options, home: outputs, issuer }, cleanup),
  ] as const;
  // If one fails, the others must end before the cleanup begins.
  await Promise.allSettled(building);
  const [template, functions] = await Promise.all(building);
  onProgress('The functions and their API are running');

  const sqs = new SQSClient(localClientConfig(outputs.sqsEndpoint));
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
  return { outputs, issueToken: issuer.issueToken, home };
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

function nameServers(
  { dynamodb, queues, bus }: Engines,
  { httpPort, websocketPort }: { httpPort: number; websocketPort: number },
): Servers {
  return {
    api: `http://${loopback}:${httpPort}`,
    live: `ws://${loopback}:${websocketPort}`,
    dynamodb: dynamodb.endpoint,
    sqs: queues.url,
    events: bus.url,
  };
}

/** Names everything before the template exists, so that it and the functions build in parallel. */
async function nameOutputs(
  { api, live, dynamodb, sqs, events }: Servers,
  issuer: TokenIssuer,
  standby: StackOutputs['standby'],
): Promise<StackOutputs> {
  return {
    api,
    liveUrl: live,
    token: await issuer.issueToken(),
    otherToken: await issuer.issueToken({ subject: 'other-local-user' }),
    dynamodbEndpoint: dynamodb,
    sqsEndpoint: sqs,
    eventsEndpoint: events,
    region,
    // The engine at DYNAMODB_ENDPOINT may hold the table of another stack.
    tableName: `ClickTable-${randomUUID()}`,
    ...stackQueueUrls(sqs),
    busName: 'click-tally-local',
    standby,
  };
}

function ignore(): void {}
