import { Consumer, type ConsumerOptions } from 'sqs-consumer';
import type { Stoppable } from '../../cli/loopback/stoppable.ts';

/** Polls queues until it's stopped, which aborts the polls. */
export function startConsumers(
  options: ConsumerOptions[],
  onError: (error: Error) => void,
): Stoppable {
  const consumers = options.map((each) => Consumer.create(each));
  for (const consumer of consumers) {
    consumer.on('error', (error) => {
      if (consumer.status.isRunning) onError(error);
    });
    consumer.start();
  }
  const stop = async () => {
    for (const consumer of consumers) consumer.stop({ abort: true });
  };
  return { stop };
}
