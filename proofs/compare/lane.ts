// A process that runs cells sequentially, with its own queues and clock.
import { createServer } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig, localEnvironment } from '../../cli/local-aws.ts';
import { listen } from '../../cli/loopback/http-server.ts';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import { startQueueServer } from '../../local/engines/queue-server.ts';
import { type CellOptions, type CellResult, type LaneResources, runCell } from './cell.ts';
import { createFunctionHost } from './function-host.ts';
import type { Cell } from './names.ts';

export interface LaneSetup {
  service: PackagedService;
  dynamodbEndpoint: string;
  /** The entry file of a function's process. */
  entry: string;
  compileCacheDir: string;
  options: CellOptions;
}

/** Each message asks for the next cell. */
export type FromLane = { ready: true } | { result: CellResult } | { error: string };

let lane: { resources: LaneResources; options: CellOptions } | undefined;

process.on('message', async ({ setup, cell }: { setup?: LaneSetup; cell?: Cell }) => {
  try {
    if (setup) {
      lane = { resources: await createResources(setup), options: setup.options };
      reply({ ready: true });
    }
    if (lane && cell) reply({ result: await runCell(lane.resources, cell, lane.options) });
  } catch (error) {
    const reason = error instanceof Error ? error.stack : error;
    reply({ error: `${cell?.approach} × ${cell?.fault}: ${reason}` });
  }
});
// The functions' processes exit when this one has gone.
process.on('disconnect', () => process.exit());

// A stopped lane's errors are not needed any more.
function reply(message: FromLane): void {
  if (process.connected) process.send?.(message);
}

async function createResources(setup: LaneSetup): Promise<LaneResources> {
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
  // Accepts every connection and never answers.
  const silence = createServer((socket) => socket.on('error', () => undefined));
  return {
    ...{ service, dynamodbEndpoint, functions },
    dynamodb: new DynamoDBClient(localClientConfig(dynamodbEndpoint)),
    sqs: new SQSClient(localClientConfig(queueEndpoint)),
    silentPort: (await listen(silence)).port,
  };
}
