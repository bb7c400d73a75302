import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { httpUrl, matching, nonEmptyString, positiveInteger, readEnv } from '../config.ts';
import { logger, metrics, traceClient } from '../telemetry/powertools.ts';
import {
  type ClickDetail,
  clickQueueUrl,
  clickSourceOf,
  describeClick,
  publishTimeoutMs,
  toBusEntry,
  toBusEvent,
} from './click-event.ts';
import { createClickIds } from './click-id.ts';
import type { Visit } from './visit.ts';

/** Creates a function that puts a click on the bus. It throws if the bus doesn't accept it in time. */
function createBusSender(busName: string) {
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

const variables = readEnv({
  CLICKS_VIA: matching('bus or queue', /^(bus|queue)$/),
  BUS_NAME: nonEmptyString,
  CLICK_QUEUE_URL: httpUrl,
  CLICK_QUEUES: positiveInteger,
});
const placeClick = createClickIds(variables.CLICK_QUEUES);
// The queue's URL contains the account.
const account = new URL(variables.CLICK_QUEUE_URL).pathname.split('/')[1];

/** Sends a click towards the ClickQueue with this number, from 0. */
type SendClick = (detail: ClickDetail, queue: number) => Promise<void>;

// SQS's client is in a file of its own, which is loaded only when it's needed. By default, that is rarely.
const paths: Record<'bus' | 'queue', () => Promise<SendClick>> = {
  bus: async () => {
    const putOnBus = createBusSender(variables.BUS_NAME);
    return (detail, queue) => putOnBus(detail, clickSourceOf(queue));
  },
  queue: async () => {
    const { createQueueSender } = await import('./send-to-queue.ts');
    const sendToQueue = createQueueSender(traceClient, publishTimeoutMs);
    return (detail, queue) =>
      sendToQueue(clickQueueUrl(variables.CLICK_QUEUE_URL, queue), describeEvent(detail, queue));
  },
};
const first = variables.CLICKS_VIA === 'queue' ? 'queue' : 'bus';
const second = first === 'bus' ? 'queue' : 'bus';
const sendFirst = await paths[first]();
let sendSecond: Promise<SendClick> | undefined;

/**
 * Publishes a click to the bus or straight to its ClickQueue, as CLICKS_VIA says. If that fails, it
 * takes the other path. If the first one accepted the click but confirmed too late, the click arrives
 * twice. Both events have the same click id, so it counts once. Never throws: if both fail, it logs
 * the whole event so that an operator can resend it.
 */
export async function publishClick(code: string, visit: Visit, at = new Date()): Promise<void> {
  const { clickId, queue } = placeClick(code);
  const detail = describeClick(clickId, code, visit, at);
  try {
    await sendFirst(detail, queue);
  } catch (error) {
    const context = { detail, [`${first}Error`]: error };
    logger.warn(`The ${first} did not accept a click; sending it to the ${second}.`, context);
    // Unless clicks go straight to the queues, the function may send to the first one only.
    await fallBack(detail, second === 'queue' ? 0 : queue);
  }
}

async function fallBack(detail: ClickDetail, queue: number): Promise<void> {
  try {
    sendSecond ??= paths[second]();
    const send = await sendSecond;
    await send(detail, queue);
  } catch (error) {
    const context = { event: describeEvent(detail, queue), [`${second}Error`]: error };
    logger.error('Neither the bus nor the queue accepted a click.', context);
    metrics.addMetric('ClicksUnpublished', MetricUnit.Count, 1);
  }
}

function describeEvent(detail: ClickDetail, queue: number) {
  return toBusEvent(detail, clickSourceOf(queue), account);
}
