// A process that runs cells one after another, with queues and a clock of its own.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localClientConfig, localEnvironment } from '../../local/engines/aws.ts';
import { loopback } from '../../local/engines/ports.ts';
import { startQueueServer } from '../../local/engines/queue-server.ts';
import type { Settings } from '../kit/packaged-service.ts';
import { type CellOptions, type CellResult, runCell, type Stage } from './cell.ts';
import { createFunctionHost } from './function-host.ts';
import type { Cell } from './names.ts';
import { startPaymentApi } from './payment-api.ts';
import { createPipelineClients } from './pipeline.ts';

/** What all lanes have in common. */
export type LaneSetup = {
  settings: Settings;
  dynamodbEndpoint: string;
  functionEntry: string;
  compileCacheDir: string;
};

export type ToLane =
  | { type: 'start'; setup: LaneSetup }
  | { type: 'run'; cell: Cell; options: CellOptions }
  | { type: 'stop' };

export type FromLane =
  | { type: 'started' }
  | { type: 'result'; result: CellResult }
  | { type: 'failed'; error: string };

const say = (message: FromLane) => process.send?.(message);
let stage: Stage | undefined;

process.on('message', async (message: ToLane) => {
  try {
    if (message.type === 'start') {
      stage = await prepareStage(message.setup);
      say({ type: 'started' });
    }
    if (message.type === 'run' && stage) {
      say({ type: 'result', result: await runCell(stage, message.cell, message.options) });
    }
    if (message.type === 'stop') await stop();
  } catch (error) {
    say({ type: 'failed', error: error instanceof Error ? (error.stack ?? '') : String(error) });
  }
});
process.on('disconnect', () => process.exit());

async function prepareStage(setup: LaneSetup): Promise<Stage> {
  const { settings, dynamodbEndpoint } = setup;
  const { url: queueEndpoint } = await startQueueServer();
  const functions = createFunctionHost(setup.functionEntry, {
    ...localEnvironment(),
    ...settings.environment,
    TABLE_NAME: 'none-yet',
    AWS_LAMBDA_FUNCTION_NAME: 'aggregate-clicks',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    NODE_COMPILE_CACHE: setup.compileCacheDir,
  });
  return {
    settings,
    dynamodbEndpoint,
    dynamodb: new DynamoDBClient(localClientConfig(dynamodbEndpoint)),
    pipelines: createPipelineClients(queueEndpoint),
    nowherePort: await openNowhere(),
    payments: await startPaymentApi(),
    functions,
  };
}

/** A port where every connection is accepted and nothing is ever answered. */
async function openNowhere(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, loopback);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function stop(): Promise<void> {
  await stage?.functions.stop();
  process.exit();
}
