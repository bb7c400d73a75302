import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { PutEventsCommandOutput } from '@aws-sdk/client-eventbridge';
import { AwsClient, CircuitBreaker } from '../aws/aws-client.ts';
import { sendMessage, toAsciiJson } from '../aws/send-message.ts';
import { httpUrl, matching, nonEmptyString, positiveInteger, readEnv } from '../config.ts';
import { logger, metrics } from '../telemetry/powertools.ts';
import { show } from '../validation.ts';
import {
  type ClickDetail,
  clickQueueUrl,
  describeClick,
  toBusEntry,
  toBusEvent,
  withoutPersonalData,
} from './click-event.ts';
import { createClickIds } from './click-id.ts';
import { clickSourceOf } from './click-source.ts';
import type { Visit } from './visit.ts';

const variables = readEnv({
  CLICKS_VIA: matching('bus or queue', /^(bus|queue)$/),
  BUS_NAME: nonEmptyString,
  CLICK_QUEUE_URL: httpUrl,
  CLICK_QUEUES: positiveInteger,
});
const placeClick = createClickIds(variables.CLICK_QUEUES);
// The queue's URL contains the account.
const account = new URL(variables.CLICK_QUEUE_URL).pathname.split('/')[1];

/** Timeout for the bus and for the queue, retries included. The visitor may wait for both. */
const publishTimeoutMs = 400;

type Path = 'bus' | 'queue';

const preferred: Path = variables.CLICKS_VIA === 'queue' ? 'queue' : 'bus';
const other: Path = preferred === 'bus' ? 'queue' : 'bus';
const clients: Record<Path, AwsClient> = {
  bus: new AwsClient('EventBridge', { hasFallback: preferred === 'bus' }),
  queue: new AwsClient('SQS', { hasFallback: preferred === 'queue' }),
};
/** Open while the preferred path doesn't answer in time. */
const breaker = new CircuitBreaker();

/** Sends a click towards the ClickQueue with this number, from 0. Throws if that fails. */
type SendClick = (detail: ClickDetail, queue: number, abortSignal: AbortSignal) => Promise<void>;

const send: Record<Path, SendClick> = {
  bus: async (detail, queue, abortSignal) => {
    const { FailedEntryCount, Entries = [] } = await clients.bus.send<PutEventsCommandOutput>(
      'PutEvents',
      { Entries: [toBusEntry(variables.BUS_NAME, detail, clickSourceOf(queue))] },
      abortSignal,
    );
    const [entry] = Entries;
    if (FailedEntryCount === 0 && entry?.EventId) return;
    throw new Error(`expected the bus to accept the click; got ${show(entry)}`);
  },
  queue: async (detail, queue, abortSignal) => {
    const QueueUrl = clickQueueUrl(variables.CLICK_QUEUE_URL, queue);
    const MessageBody = toAsciiJson(describeEvent(detail, queue));
    await sendMessage(clients.queue, { QueueUrl, MessageBody }, abortSignal);
  },
};

/** Connects to where the clicks go first. Never throws. */
export function connectPublisher(): Promise<void> {
  return clients[preferred].connect();
}

/**
 * Publishes a click to the bus or straight to its ClickQueue, as CLICKS_VIA says. If that fails, it
 * takes the other path, and after a timeout it starts with that one for a few seconds. If the first one
 * accepted the click but confirmed too late, the click arrives twice. Both events have the same click id,
 * so it counts once. Never throws: if both fail, it logs the event without personal data, which an operator
 * can resend.
 */
export async function publishClick(code: string, visit: Visit, at = new Date()): Promise<void> {
  try {
    await publish(code, visit, at);
  } catch (error) {
    logger.error('A click was not published.', { code, at, error });
    metrics.addMetric('ClicksUnpublished', MetricUnit.Count, 1);
  }
}

async function publish(code: string, visit: Visit, at: Date): Promise<void> {
  const { clickId, queue } = placeClick(code);
  const detail = describeClick(clickId, code, visit, at);
  const [first, second] = breaker.isOpen ? [other, preferred] : [preferred, other];
  try {
    await sendInTime(first, detail, queue);
  } catch (error) {
    const context = { detail: withoutPersonalData(detail), [`${first}Error`]: error };
    logger.warn(`The ${first} did not accept a click; sending it to the ${second}.`, context);
    await fallBack(second, detail, queue);
  }
}

async function fallBack(path: Path, detail: ClickDetail, queue: number): Promise<void> {
  try {
    await sendInTime(path, detail, queue);
  } catch (error) {
    const event = describeEvent(withoutPersonalData(detail), queue);
    const context = { event, [`${path}Error`]: error };
    logger.error('Neither the bus nor the queue accepted a click.', context);
    metrics.addMetric('ClicksUnpublished', MetricUnit.Count, 1);
  }
}

async function sendInTime(path: Path, detail: ClickDetail, queue: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(publishTimeoutMs);
  try {
    // Unless clicks go straight to the queues, the function may send to the first one only.
    const isFirstOnly = path === 'queue' && preferred === 'bus';
    await send[path](detail, isFirstOnly ? 0 : queue, abortSignal);
  } catch (error) {
    if (path === preferred && abortSignal.aborted) breaker.open();
    throw error;
  }
}

function describeEvent(detail: ClickDetail, queue: number) {
  return toBusEvent(detail, clickSourceOf(queue), account);
}
