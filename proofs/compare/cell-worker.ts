// A process that runs cells sequentially, with its own queues and clock.
import { createServer } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig, localEnvironment } from '../../cli/local-aws.ts';
import { listen } from '../../cli/loopback/http-server.ts';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import { startQueueServer } from '../../local/engines/queue-server.ts';
import { type CellOptions, type CellResult, type LaneResources, runCell } from './cell.ts';
import { createFunctionHost } from './function-host.ts';
import type { Cell } from './names.ts';

export interface WorkerSetup {
  service: PackagedService;
  dynamodbEndpoint: string;
  /** The entry file of a function's process. */
  entry: string;
  compileCacheDir: string;
}

export type ToWorker =
  | { type: 'start'; setup: WorkerSetup }
  | { type: 'run'; cell: Cell; options: CellOptions };

export type FromWorker =
  | { type: 'started' }
  | { type: 'result'; result: CellResult }
  | { type: 'failed'; error: string };

let resources: LaneResources | undefined;

process.on('message', async (message: ToWorker) => {
  try {
    if (message.type === 'start') {
      resources = await createResources(message.setup);
      reply({ type: 'started' });
    } else if (resources) {
      reply({ type: 'result', result: await runCell(resources, message.cell, message.options) });
    }
  } catch (error) {
    reply({ type: 'failed', error: error instanceof Error ? (error.stack ?? '') : String(error) });
  }
});
process.on('disconnect', async () => {
  await resources?.functions.stop();
  process.exit();
});

// A stopped worker's errors are not needed any more.
function reply(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}

async function createResources(setup: WorkerSetup): Promise<LaneResources> {
  const { service, dynamodbEndpoint, entry, compileCacheDir } = setup;
  const { url: queueEndpoint } = await startQueueServer();
  const functions = createFunctionHost(entry, {
    ...localEnvironment(),
    ...service.environment,
    TABLE_NAME: 'none-yet',
    AWS_LAMBDA_FUNCTION_NAME: 'aggregate-clicks',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    NODE_COMPILE_CACHE: compileCacheDir,
  });
  return {
    service,
    dynamodbEndpoint,
    dynamodb: new DynamoDBClient(localClientConfig(dynamodbEndpoint)),
    sqs: new SQSClient(localClientConfig(queueEndpoint)),
    sns: new SNSClient(localClientConfig(queueEndpoint)),
    silentPort: await openSilentPort(),
    functions,
  };
}

/** Opens a port that accepts every connection and never answers. */
async function openSilentPort(): Promise<number> {
  return (await listen(createServer((socket) => socket.on('error', () => undefined)))).port;
}
