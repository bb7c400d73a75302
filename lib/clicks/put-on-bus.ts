import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { traceClient } from '../telemetry/powertools.ts';
import { type ClickDetail, publishTimeoutMs, toBusEntry } from './click-event.ts';

/** Creates a function that puts a click on the bus. It throws if the bus doesn't accept it in time. */
export function createBusSender(busName: string) {
  const bus = traceClient(new EventBridgeClient());
  return async (detail: ClickDetail, source: string): Promise<void> => {
    const { FailedEntryCount, Entries } = await bus.send(
      new PutEventsCommand({ Entries: [toBusEntry(busName, detail, source)] }),
      { abortSignal: AbortSignal.timeout(publishTimeoutMs) },
    );
    if (FailedEntryCount === 0) return;
    const { ErrorCode, ErrorMessage } = Entries?.[0] ?? {};
    throw new Error(`expected the bus to accept the click; got ${ErrorCode}: ${ErrorMessage}`);
  };
}
