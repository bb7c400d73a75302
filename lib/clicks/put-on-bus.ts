import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { traceClient } from '../telemetry/powertools.ts';
import { type ClickDetail, publishTimeoutMs, toBusEntry } from './click-event.ts';

const bus = traceClient(new EventBridgeClient());

/** Puts a click on the bus. Throws if the bus doesn't accept it in time. */
export async function putOnBus(name: string, detail: ClickDetail, source: string): Promise<void> {
  const { FailedEntryCount, Entries } = await bus.send(
    new PutEventsCommand({ Entries: [toBusEntry(name, detail, source)] }),
    { abortSignal: AbortSignal.timeout(publishTimeoutMs) },
  );
  if (FailedEntryCount === 0) return;
  const { ErrorCode, ErrorMessage } = Entries?.[0] ?? {};
  throw new Error(`expected the bus to accept the click; got ${ErrorCode}: ${ErrorMessage}`);
}
