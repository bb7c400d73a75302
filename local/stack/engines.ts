import { type RunningDynamoDb, startDynamoDb } from '../engines/dynamodb.ts';
import type { RunningServer } from '../engines/http-server.ts';
import { startQueueServer } from '../engines/queue-server.ts';
import { stopOnceStarted } from '../engines/stoppable.ts';
import { type EventBusServer, startEventBus } from './event-bus.ts';
import { startTokenIssuer, type TokenIssuer } from './token-issuer.ts';

/** The stand-ins for AWS services. */
export interface Engines {
  dynamodb: RunningDynamoDb;
  queues: RunningServer;
  bus: EventBusServer;
  issuer: TokenIssuer;
}

/**
 * Starts DynamoDB, SQS, EventBridge and a token issuer, each empty and on a free port. `cleanup`
 * stops them, even those that are still starting when another one fails.
 */
export async function startEngines(cleanup: AsyncDisposableStack): Promise<Engines> {
  const [dynamodb, queues, issuer] = await Promise.all([
    cleanup.adopt(startDynamoDb(), stopOnceStarted),
    cleanup.adopt(startQueueServer(), stopOnceStarted),
    cleanup.adopt(startTokenIssuer(), stopOnceStarted),
  ]);
  const bus = await cleanup.adopt(startEventBus(queues.url), stopOnceStarted);
  return { dynamodb, queues, bus, issuer };
}
