import { setTimeout as sleep } from 'node:timers/promises';
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { localClientConfig } from '../../loopback/local-aws.ts';

const retryMs = 500;

/**
 * Stands in for a rule whose target is a bus in another Region: accepts events at once, and repeats each
 * until the other bus has it. AWS would pause longer each time, and give up after 24 hours.
 */
export function forwardEvents(endpoint: string, cleanup: AsyncDisposableStack) {
  const client = new EventBridgeClient({ ...localClientConfig(endpoint), maxAttempts: 1 });
  const controller = new AbortController();
  const { signal } = controller;
  cleanup.defer(() => {
    controller.abort();
    client.destroy();
  });
  const isForwarded = async (entry: PutEventsRequestEntry): Promise<boolean> => {
    const command = new PutEventsCommand({ Entries: [entry] });
    try {
      return (await client.send(command, { abortSignal: signal })).FailedEntryCount === 0;
    } catch {
      return false;
    }
  };
  const forward = async (entry: PutEventsRequestEntry) => {
    while (!(await isForwarded(entry)) && !signal.aborted) {
      // An abort rejects, and ends the loop.
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return (busArn: string, event: string): void => {
    const { source, detail, time, resources, 'detail-type': DetailType } = JSON.parse(event);
    void forward({
      EventBusName: busArn,
      Source: source,
      DetailType,
      Detail: JSON.stringify(detail),
      Time: new Date(time),
      Resources: resources,
    });
  };
}
