import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../cli/local-aws.ts';
import { deleteMessages, receiveAll } from '../../cli/queue.ts';
import { startQueueServer } from '../../local/engines/queue-server.ts';
import { readTemplate } from '../../local/engines/template.ts';
import { startEventBus } from '../../local/stack/event-bus.ts';
import { createQueues } from '../../local/stack/queues.ts';
import { type Packaged, packageDirOf } from './stage-template.ts';

/** Starts a stage's bus with its rules and their targets. `takeEvents` receives the bodies of a target's. */
export async function startStageBus(stage: Packaged) {
  await using cleanup = new AsyncDisposableStack();
  const template = await readTemplate(packageDirOf(stage));
  const queueServer = await startQueueServer();
  cleanup.defer(queueServer.stop);
  const busServer = await startEventBus(queueServer.url);
  cleanup.defer(busServer.stop);
  const sqs = new SQSClient(localClientConfig(queueServer.url));
  cleanup.defer(() => sqs.destroy());
  const queues = await createQueues(sqs, queueServer.url, template);
  await busServer.createBuses(template, queues);
  const takeEvents = async (target: string): Promise<string[]> => {
    const queue = { sqs, url: queues[target]?.ref ?? '' };
    const bodies: string[] = [];
    for await (const messages of receiveAll(queue)) {
      bodies.push(...messages.map(({ Body = '' }) => Body));
      await deleteMessages(queue, messages);
    }
    return bodies;
  };
  const started = cleanup.move();
  return { url: busServer.url, takeEvents, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
