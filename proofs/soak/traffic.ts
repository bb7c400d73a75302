import { randomUUID } from 'node:crypto';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../cli/local-aws.ts';
import { type Queue, sendMessages } from '../../cli/queue.ts';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';

const batchSize = 10;
/** Producers may send known values, unknown ones, values of any type, or none. */
const visitors = ['human', 'bot', 'ghost', '__proto__', '', 7, null, undefined];
const devices = ['desktop', 'mobile', 'tablet', 'fridge', ['mobile'], undefined];
const referrers = ['direct', 'own', 'google', 'github', 'my-blog', { name: 'x' }, undefined];
const countries = ['US', 'DE', 'LI', 'us', '', 49, undefined];
const visitRequests: RequestInit[] = [
  {
    headers: {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
    },
  },
  { headers: { 'user-agent': 'curl/8.14.1', referer: 'https://www.google.com/' } },
];
/** Requests that are redirected and do not count. */
const otherRequests: RequestInit[] = [
  { method: 'HEAD' },
  { headers: { 'sec-purpose': 'prefetch' } },
];

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
    const code = pick(codes);
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
  return JSON.stringify({ id, detail: { code, ...makeDetail() } });
}

async function sendToBus(bus: EventBridgeClient, busName: string, code: string, sent: SentTraffic) {
  const clickId = randomUUID();
  sent.clicks.set(clickId, code);
  const entry = {
    EventBusName: busName,
    Source: 'click-tally',
    DetailType: 'link.clicked',
    Detail: JSON.stringify({ clickId, code, ...makeDetail() }),
  };
  const isTwice = Math.random() < 0.2;
  if (isTwice) sent.duplicates += 1;
  await bus.send(new PutEventsCommand({ Entries: isTwice ? [entry, entry] : [entry] }));
}

function makeDetail() {
  return {
    at: new Date().toISOString(),
    visitor: pick(visitors),
    device: pick(devices),
    referrer: pick(referrers),
    country: pick(countries),
  };
}

// While the functions restart, the API does not answer.
async function visit(api: string, code: string, { visits }: SentTraffic): Promise<void> {
  const count = visits.get(code) ?? { requested: 0, redirected: 0 };
  visits.set(code, count);
  await open(api, code, pick(otherRequests));
  count.requested += 1;
  const response = await open(api, code, pick(visitRequests));
  if (response?.status === 302) count.redirected += 1;
}

async function open(api: string, code: string, request: RequestInit) {
  const options = { ...request, redirect: 'manual' } as const;
  const response = await fetch(`${api}/${code}`, options).catch(() => undefined);
  await response?.text();
  return response;
}

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T;
}
