import { MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod/mini';
import { httpUrl, nonEmptyString, positiveInteger, readEnv } from '../config.ts';
import { logger, metrics } from '../telemetry/powertools.ts';
import { clickSourceOf } from './click.ts';
import { type ClickDetail, describeClick, toBusEvent } from './click-event.ts';
import { createClickIds } from './click-id.ts';
import type { Visit } from './visit.ts';

const variables = readEnv(
  z.object({
    CLICKS_VIA: z.enum(['bus', 'queue'], 'bus or queue'),
    BUS_NAME: nonEmptyString,
    CLICK_QUEUE_URL: httpUrl,
    CLICK_QUEUES: positiveInteger,
  }),
);
const placeClick = createClickIds(variables.CLICK_QUEUES);

/** Sends a click towards the ClickQueue with this number, from 0. */
type SendClick = (detail: ClickDetail, queue: number) => Promise<void>;

// Each path's SDK client takes a while to load, and the second path is rarely needed.
const paths: Record<'bus' | 'queue', () => Promise<SendClick>> = {
  bus: async () => {
    const { putOnBus } = await import('./put-on-bus.ts');
    return (detail, queue) => putOnBus(variables.BUS_NAME, detail, clickSourceOf(queue));
  },
  queue: async () => {
    const { sendToQueue } = await import('./send-to-queue.ts');
    return (detail, queue) =>
      sendToQueue(variables.CLICK_QUEUE_URL, queue, describeEvent(detail, queue));
  },
};
const first = variables.CLICKS_VIA;
const second = first === 'bus' ? 'queue' : 'bus';
const sendFirst = await paths[first]();

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
    await sendSecond(detail, second === 'queue' ? 0 : queue);
  }
}

async function sendSecond(detail: ClickDetail, queue: number): Promise<void> {
  try {
    const send = await paths[second]();
    await send(detail, queue);
  } catch (error) {
    const context = { event: describeEvent(detail, queue), [`${second}Error`]: error };
    logger.error('Neither the bus nor the queue accepted a click.', context);
    metrics.addMetric('ClicksUnpublished', MetricUnit.Count, 1);
  }
}

// The queue's URL contains the account.
function describeEvent(detail: ClickDetail, queue: number) {
  const account = new URL(variables.CLICK_QUEUE_URL).pathname.split('/')[1];
  return toBusEvent(detail, clickSourceOf(queue), account);
}
