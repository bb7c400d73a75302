import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';
import { accountId, localClientConfig, region, standbyRegion } from '../../loopback/local-aws.ts';
import { findFreePort, loopback } from '../../loopback/ports.ts';
import { stopOnceStarted } from '../../loopback/stoppable.ts';
import { createTable } from '../engines/create-table.ts';
import { queueUrl } from '../engines/queue-server.ts';
import { loadTemplate, type PhysicalResources, type Template } from '../engines/template.ts';
import { type Engines, startEngines } from './engines.ts';
import { createRules } from './event-rules.ts';
import { forwardEvents } from './forward-events.ts';
import {
  defaultLogFile,
  describeEnvironment,
  type FunctionsOptions,
  type OfflineService,
  startFunctions,
} from './functions.ts';
import { createQueues } from './queues.ts';
import type { TokenIssuer } from './token-issuer.ts';

const serviceFile = 'standby.yml';
/** The name of the standby's table and bus, and the prefix of its queue's (standby.yml). */
const name = 'click-tally-standby-local';

interface StandbyOptions extends FunctionsOptions {
  home: StackOutputs;
  issuer: TokenIssuer;
}

export type StandbyOutputs = NonNullable<StackOutputs['standby']>;

/** Starts the servers of the standby's Region, and says where they are. {@link startStandby} does the rest. */
export async function startStandbyEngines(cleanup: AsyncDisposableStack) {
  const engines = await startEngines(cleanup);
  const { dynamodb, queues } = engines;
  const outputs: StandbyOutputs = {
    api: `http://${loopback}:${await findFreePort()}`,
    tableName: name,
    dynamodbEndpoint: dynamodb.endpoint,
    sqsEndpoint: queues.url,
    dlqUrl: queueUrl(queues.url, `${name}-dlq`),
  };
  return { engines, outputs };
}

/** Starts the standby from the same standby.yml that is deployed, and waits until it answers. */
export async function startStandby(
  { engines, outputs }: Awaited<ReturnType<typeof startStandbyEngines>>,
  { home, issuer, ...options }: StandbyOptions,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const params = { homeRegion: region };
  const { logFile: homeLogFile = defaultLogFile } = options;
  const logFile = homeLogFile.replace(/(\.log)?$/, '-standby.log');
  const service = describeStandby(engines, outputs, { home, issuer });
  const building = [
    loadTemplate('local', params, serviceFile),
    cleanup.adopt(startFunctions({ ...options, params, logFile }, service), stopOnceStarted),
  ] as const;
  // If one fails, the other must end before the cleanup begins.
  await Promise.allSettled(building);
  const [template] = await Promise.all(building);
  const sqs = new SQSClient(localClientConfig(engines.queues.url));
  cleanup.defer(() => sqs.destroy());
  const resources = await createResources(template, outputs, sqs);
  const forward = forwardEvents(home.eventsEndpoint, cleanup);
  createRules(engines.bus, template, resources, { sqs, forward });
}

function describeStandby(
  { bus }: Engines,
  { api, tableName, dynamodbEndpoint, sqsEndpoint, dlqUrl }: StandbyOutputs,
  { home, issuer }: Pick<StandbyOptions, 'home' | 'issuer'>,
): OfflineService {
  const endpoints = { dynamodbEndpoint, sqsEndpoint, eventsEndpoint: bus.url };
  return {
    serviceFile,
    httpPort: Number(new URL(api).port),
    params: {
      tableName,
      busName: name,
      standbyDlqUrl: dlqUrl,
      publicOrigin: home.api,
      apiHosts: loopback,
    },
    env: {
      ...describeEnvironment({ ...endpoints, api: home.api }, issuer),
      AWS_REGION: standbyRegion,
    },
  };
}

async function createResources(
  template: Template,
  { tableName, dynamodbEndpoint, sqsEndpoint }: StandbyOutputs,
  sqs: SQSClient,
): Promise<PhysicalResources> {
  const client = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  const table = await createTable(client, template, tableName, { logicalId: 'StandbyTable' });
  client.destroy();
  return {
    'AWS::Partition': { ref: 'aws' },
    'AWS::AccountId': { ref: accountId },
    'AWS::Region': { ref: standbyRegion },
    StandbyTable: table,
    StandbyBus: { ref: name },
    ForwardRole: { ref: 'ForwardRole', attributes: { Arn: `arn:aws:iam::${accountId}:role/any` } },
    ...(await createQueues(sqs, sqsEndpoint, template)),
  };
}
