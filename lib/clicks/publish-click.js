import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { AwsClient, CircuitBreaker } from '../aws/aws-client.ts';
import { sendMessage, toAsciiJson } from '../aws/send-message.ts';
import { httpUrl, matching, nonEmptyString, positiveInteger, readEnv } from '../config.ts';
import { logger, metrics } from '../telemetry/powertools.ts';
import { show } from '../validation.ts';
import { clickQueueUrl, clickSourceOf, describeClick, toBusEntry, toBusEvent, withoutCampaign, } from './click-event.ts';
import { createClickIds } from './click-id.ts';
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
const preferred = variables.CLICKS_VIA === 'queue' ? 'queue' : 'bus';
const other = preferred === 'bus' ? 'queue' : 'bus';
const clients = {
    bus: new AwsClient('EventBridge', { hasFallback: preferred === 'bus' }),
    queue: new AwsClient('SQS', { hasFallback: preferred === 'queue' }),
};
/** Open while the preferred path doesn't answer in time. */
const breaker = new CircuitBreaker();
const send = {
    bus: async (detail, queue, abortSignal) => {
        const { FailedEntryCount, Entries = [] } = await clients.bus.send('PutEvents', { Entries: [toBusEntry(variables.BUS_NAME, detail, clickSourceOf(queue))] }, abortSignal);
        const [entry] = Entries;
        if (FailedEntryCount === 0 && entry?.EventId)
            return;
        throw new Error(`expected the bus to accept the click; got ${show(entry)}`);
    },
    queue: async (detail, queue, abortSignal) => {
        const QueueUrl = clickQueueUrl(variables.CLICK_QUEUE_URL, queue);
        const MessageBody = toAsciiJson(describeEvent(detail, queue));
        await sendMessage(clients.queue, { QueueUrl, MessageBody }, abortSignal);
    },
};
/** Connects to where the clicks go first. Never throws. */
export function connectPublisher() {
    return clients[preferred].connect();
}
/**
 * Publishes a click to the bus or straight to its ClickQueue, as CLICKS_VIA says. If that fails, it
 * takes the other path, and after a timeout it starts with that one for a few seconds. If the first one
 * accepted the click but confirmed too late, the click arrives twice. Both events have the same click id,
 * so it counts once. Never throws: if both fail, it logs the whole event so that an operator can resend
 * it.
 */
export async function publishClick(code, visit, at = new Date()) {
    const { clickId, queue } = placeClick(code);
    const detail = describeClick(clickId, code, visit, at);
    const [first, second] = breaker.isOpen ? [other, preferred] : [preferred, other];
    try {
        await sendInTime(first, detail, queue);
    }
    catch (error) {
        const context = { detail: withoutCampaign(detail), [`${first}Error`]: error };
        logger.warn(`The ${first} did not accept a click; sending it to the ${second}.`, context);
        await fallBack(second, detail, queue);
    }
}
async function fallBack(path, detail, queue) {
    try {
        await sendInTime(path, detail, queue);
    }
    catch (error) {
        const event = describeEvent(withoutCampaign(detail), queue);
        const context = { event, [`${path}Error`]: error };
        logger.error('Neither the bus nor the queue accepted a click.', context);
        metrics.addMetric('ClicksUnpublished', MetricUnit.Count, 1);
    }
}
async function sendInTime(path, detail, queue) {
    const abortSignal = AbortSignal.timeout(publishTimeoutMs);
    try {
        // Unless clicks go straight to the queues, the function may send to the first one only.
        await send[path](detail, path === 'queue' && preferred === 'bus' ? 0 : queue, abortSignal);
    }
    catch (error) {
        if (path === preferred && abortSignal.aborted)
            breaker.open();
        throw error;
    }
}
function describeEvent(detail, queue) {
    return toBusEvent(detail, clickSourceOf(queue), account);
}
