import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { PutEventsCommandOutput } from '@aws-sdk/client-eventbridge';
import { toAsciiJson } from '../ascii-json.ts';
import { AwsClient } from '../aws/aws-client.ts';
import { sendMessage } from '../aws/send-message.ts';
import { httpUrl, matching, nonEmptyString, positiveInteger, readEnv } from '../config.ts';
import { logger, metrics } from '../telemetry/powertools.ts';
import { show } from '../validation.ts';
import {
  type ClickDetail,
  clickQueueUrl,
  clickSourceOf,
  describeClick,
  publishTimeoutMs,
  toBusEntry,
  toBusEvent,
  withoutCampaign,
} from './click-event.ts';
import { createClickIds } from './click-id.ts';
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

/** Sends a click towards the ClickQueue with this number, from 0. Throws if that fails. */
type SendClick = (detail: ClickDetail, queue: number) => Promise<void>;

// The client of the second path is created only when it's needed.
const paths: Record<'bus' | 'queue', () => SendClick> = {
  bus: () => {
    const bus = new AwsClient('EventBridge');
    return async (detail, queue) => {
      const { FailedEntryCount, Entries = [] } = await bus.send<PutEventsCommandOutput>(
        'PutEvents',
        { Entries: [toBusEntry(variables.BUS_NAME, detail, clickSourceOf(queue))] },
        AbortSignal.timeout(publishTimeoutMs),
      );
      const [entry] = Entries;
      if (FailedEntryCount === 0 && entry?.EventId) return;
      throw new Error(`expected the bus to accept the click; got ${show(entry)}`);
    };
  },
  queue: () => {
    const sqs = new AwsClient('SQS');
    return async (detail, queue) => {
      const QueueUrl = clickQueueUrl(variables.CLICK_QUEUE_URL, queue);
      const MessageBody = toAsciiJson(describeEvent(detail, queue));
      const abortSignal = AbortSignal.timeout(publishTimeoutMs);
      await sendMessage(sqs, { QueueUrl, MessageBody }, abortSignal);
    };
  },
};
const first = variables.CLICKS_VIA === 'queue' ? 'queue' : 'bus';
const second = first === 'bus' ? 'queue' : 'bus';
const sendFirst = paths[first]();
let sendSecond: SendClick | undefined;

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
    const context = { detail: withoutCampaign(detail), [`${first}Error`]: error };
    logger.warn(`The ${first} did not accept a click; sending it to the ${second}.`, context);
    // Unless clicks go straight to the queues, the function may send to the first one only.
    await fallBack(detail, second === 'queue' ? 0 : queue);
  }
}

async function fallBack(detail: ClickDetail, queue: number): Promise<void> {
  try {
    sendSecond ??= paths[second]();
    await sendSecond(detail, queue);
  } catch (error) {
    const event = describeEvent(withoutCampaign(detail), queue);
    const context = { event, [`${second}Error`]: error };
    logger.error('Neither the bus nor the queue accepted a click.', context);
    metrics.addMetric('ClicksUnpublished', MetricUnit.Count, 1);
  }
}

function describeEvent(detail: ClickDetail, queue: number) {
  return toBusEvent(detail, clickSourceOf(queue), account);
}
