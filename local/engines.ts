import { type RunningDynamoDb, startDynamoDb } from './dynamodb.ts';
import { type EventBusServer, startEventBus } from './event-bus.ts';
import type { RunningServer } from './http-server.ts';
import { startQueueServer } from './queues.ts';
import type { Teardown } from './teardown.ts';
import { startTokenIssuer, type TokenIssuer } from './token-issuer.ts';

/** What AWS runs for the service. */
export type Engines = {
  dynamodb: RunningDynamoDb;
  queues: RunningServer;
  bus: EventBusServer;
  issuer: TokenIssuer;
};

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
