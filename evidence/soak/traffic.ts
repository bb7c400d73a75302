import { randomUUID } from 'node:crypto';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../local/engines/aws.ts';
import { type Queue, sendMessages } from '../../local/engines/queue.ts';
import type { StackOutputs } from '../../terminal/stack-file.ts';

const batchSize = 10;

export interface SentTraffic {
  /** The link's code by click id. */
  clicks: Map<string, string>;
  poison: Set<string>;
  duplicates: number;
  /** By link: how often a visitor requested it, and how often the service redirected. */
  visits: Map<string, { requested: number; redirected: number }>;
}

/** Sends clicks through queue, bus and API, with duplicates and invalid ones, until `stop`. */
export function startTraffic(stack: StackOutputs, codes: string[], intervalMs: number) {
  const sent: SentTraffic = {
    clicks: new Map(),
    poison: new Set(),
    duplicates: 0,
    visits: new Map(),
  };
  const sqs = new SQSClient(localClientConfig(stack.sqsEndpoint));
  const bus = new EventBridgeClient(localClientConfig(stack.eventsEndpoint));
  const running = new Set<Promise<void>>();
  const track = (action: Promise<void>) => {
    running.add(action);
    action.finally(() => running.delete(action));
  };
  const timer = setInterval(() => {
    const code = codes[Math.floor(Math.random() * codes.length)] ?? '';
    track(sendToQueue({ sqs, url: stack.clickQueueUrl }, code, sent));
    track(sendToBus(bus, stack.busName, code, sent));
    track(visit(stack.api, code, sent));
  }, intervalMs);
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(running);
    sqs.destroy();
    bus.destroy();
  };
  return { sent, stop };
}

async function sendToQueue(queue: Queue, code: string, sent: SentTraffic) {
  const bodies = Array.from({ length: batchSize }, () => makeBody(code, sent));
  await sendMessages(queue, bodies);
  if (Math.random() > 0.2) return;
  sent.duplicates += bodies.length;
  await sendMessages(queue, bodies);
}

function makeBody(code: string, sent: SentTraffic): string {
  const id = randomUUID();
  if (Math.random() < 0.01) {
    const poison = JSON.stringify({ id, detail: { at: 'never' } });
    sent.poison.add(poison);
    return poison;
  }
  sent.clicks.set(id, code);
  return JSON.stringify({ id, detail: { code, at: new Date().toISOString() } });
}

async function sendToBus(bus: EventBridgeClient, busName: string, code: string, sent: SentTraffic) {
  const clickId = randomUUID();
  sent.clicks.set(clickId, code);
  const entry = {
    EventBusName: busName,
    Source: 'click-tally',
    DetailType: 'link.clicked',
    Detail: JSON.stringify({ clickId, code, at: new Date().toISOString() }),
  };
  const isTwice = Math.random() < 0.2;
  if (isTwice) sent.duplicates += 1;
  await bus.send(new PutEventsCommand({ Entries: isTwice ? [entry, entry] : [entry] }));
}

// While the functions restart, the API does not answer.
async function visit(api: string, code: string, { visits }: SentTraffic): Promise<void> {
  const count = visits.get(code) ?? { requested: 0, redirected: 0 };
  visits.set(code, count);
  count.requested += 1;
  const response = await fetch(`${api}/${code}`, { redirect: 'manual' }).catch(() => undefined);
  await response?.text();
  if (response?.status === 302) count.redirected += 1;
}
