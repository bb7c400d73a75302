import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { httpUrl, nonEmptyString, positiveInteger, readEnv } from '../config.ts';
import { logger, metrics, traceClient } from '../telemetry/powertools.ts';
import { clickDetailType, clickSource, clickSourceOf } from './click.ts';
import { type ClickDetail, describeClick, toBusEntry } from './click-event.ts';
import { createClickIds } from './click-id.ts';
import type { Visit } from './visit.ts';

const variables = readEnv(
  z.object({ BUS_NAME: nonEmptyString, CLICK_QUEUE_URL: httpUrl, CLICK_QUEUES: positiveInteger }),
);
const bus = traceClient(new EventBridgeClient());
const queue = traceClient(new SQSClient());
const placeClick = createClickIds(variables.CLICK_QUEUES);

/** Timeout for the bus and then for the queue, retries included. The visitor waits for both. */
const timeoutMs = 1_000;

/**
 * Publishes a click to the bus or, if that fails, directly to ClickQueue. If the bus accepted the
 * click but confirmed too late, the click arrives twice. Both events have the same click id, so it
 * counts once. Never throws: if both fail, it logs the whole event so that an operator can resend
 * it.
 */
export async function publishClick(code: string, visit: Visit, at = new Date()): Promise<void> {
  const { clickId, queue } = placeClick(code);
  const detail = describeClick(clickId, code, visit, at);
  try {
    await putOnBus(detail, clickSourceOf(queue));
  } catch (busError) {
    logger.warn('The bus did not accept a click; sending it to the queue.', { detail, busError });
    await sendToQueue(detail);
  }
}

async function putOnBus(detail: ClickDetail, source: string): Promise<void> {
  const { FailedEntryCount, Entries } = await bus.send(
    new PutEventsCommand({ Entries: [toBusEntry(variables.BUS_NAME, detail, source)] }),
    { abortSignal: AbortSignal.timeout(timeoutMs) },
  );
  if (FailedEntryCount === 0) return;
  const { ErrorCode, ErrorMessage } = Entries?.[0] ?? {};
  throw new Error(`expected the bus to accept the click; got ${ErrorCode}: ${ErrorMessage}`);
}

async function sendToQueue(detail: ClickDetail): Promise<void> {
  const event = wrapAsBusEvent(detail);
  const message = new SendMessageCommand({
    QueueUrl: variables.CLICK_QUEUE_URL,
    MessageBody: JSON.stringify(event),
  });
  try {
    await queue.send(message, { abortSignal: AbortSignal.timeout(timeoutMs) });
  } catch (queueError) {
    logger.error('Neither the bus nor the queue accepted a click.', { event, queueError });
    metrics.addMetric('ClicksUnpublished', MetricUnit.Count, 1);
  }
}

/** Wraps a click as the bus would deliver it. The queue's URL contains the account. */
function wrapAsBusEvent(detail: ClickDetail) {
  return {
    version: '0',
    id: detail.clickId,
    'detail-type': clickDetailType,
    source: clickSource,
    account: new URL(variables.CLICK_QUEUE_URL).pathname.split('/')[1],
    time: `${detail.at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`,
    region: process.env.AWS_REGION,
    resources: [],
    detail,
  };
}
