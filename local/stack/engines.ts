import { type RunningDynamoDb, startDynamoDb } from '../engines/dynamodb.ts';
import type { RunningServer } from '../engines/http-server.ts';
import type { Teardown } from '../engines/teardown.ts';
import { type EventBusServer, startEventBus } from './event-bus.ts';
import { startQueueServer } from './queues.ts';
import { startTokenIssuer, type TokenIssuer } from './token-issuer.ts';

/** What AWS runs for the service. */
export interface Engines {
  dynamodb: RunningDynamoDb;
  queues: RunningServer;
  bus: EventBusServer;
  issuer: TokenIssuer;
}

/** Starts DynamoDB, SQS, EventBridge and a token issuer, each on a free port and empty. */
export async function startEngines(teardown: Teardown): Promise<Engines> {
  const [dynamodb, queues, issuer] = await Promise.all([
    teardown.use(startDynamoDb()),
    teardown.use(startQueueServer()),
    teardown.use(startTokenIssuer()),
  ]);
  const bus = await teardown.use(startEventBus(queues.url));
  return { dynamodb, queues, bus, issuer };
}
