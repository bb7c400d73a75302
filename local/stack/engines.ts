import { stopOnceStarted } from '../../loopback/stoppable.ts';
import { startDynamoDb } from '../engines/dynamodb.ts';
import { startQueueServer } from '../engines/queue-server.ts';
import { startEventBus } from './event-bus.ts';

/** The stand-ins for a Region's services. */
export type Engines = Awaited<ReturnType<typeof startEngines>>;

/**
 * Starts DynamoDB, SQS and EventBridge, each empty and on a free port. `cleanup` stops them, even those
 * that are still starting when another one fails.
 */
export async function startEngines(cleanup: AsyncDisposableStack) {
  const [dynamodb, queues, bus] = await Promise.all([
    cleanup.adopt(startDynamoDb(), stopOnceStarted),
    cleanup.adopt(startQueueServer(), stopOnceStarted),
    cleanup.adopt(startEventBus(), stopOnceStarted),
  ]);
  return { dynamodb, queues, bus };
}
