import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { localClientConfig } from '../../cli/local-aws.ts';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';
import { toBusEntry } from '../../lib/clicks/click-event.ts';
import { pollUntil } from '../engines/poll-until.ts';
import { inventPastClicks } from './past-clicks.ts';

const code = 'spring';
const destination = 'https://shop.example.com/collections/spring';
/** The page's default range. */
const days = 30;
const entriesPerRequest = 10;
const countTimeoutMs = 5 * 60_000;

/** Creates a link of Ada's with weeks of clicks, and returns its code. */
export async function createUsedLink(
  { api, token, ...stack }: StackOutputs,
  signal: AbortSignal,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const body = JSON.stringify({ url: destination, code });
  await fetch(`${api}/links`, { method: 'POST', headers, body });
  const sent = await publishPastClicks(stack);
  const isCounted = async () => {
    if (signal.aborted) return true;
    const response = await fetch(`${api}/links/${code}/stats`, { headers });
    return ((await response.json()) as { clicks: number }).clicks === sent;
  };
  await pollUntil(isCounted, { timeoutMs: countTimeoutMs });
  signal.throwIfAborted();
  return code;
}

async function publishPastClicks({
  eventsEndpoint,
  busName,
}: Pick<StackOutputs, 'eventsEndpoint' | 'busName'>): Promise<number> {
  const bus = new EventBridgeClient(localClientConfig(eventsEndpoint));
  const clicks = inventPastClicks(code, days, Date.now());
  for (let index = 0; index < clicks.length; index += entriesPerRequest) {
    const some = clicks.slice(index, index + entriesPerRequest);
    const Entries = some.map((click) => toBusEntry(busName, click));
    await bus.send(new PutEventsCommand({ Entries }));
  }
  bus.destroy();
  return clicks.length;
}
