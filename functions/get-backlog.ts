import { SQSClient } from '@aws-sdk/client-sqs';
import { clickQueueUrl } from '../lib/clicks/click-event.ts';
import { httpUrl, positiveInteger, readEnv } from '../lib/config.ts';
import { json } from '../lib/http/http.ts';
import { noBacklogError } from '../lib/http/http-error.ts';
import { createBacklogReader } from '../lib/live/backlog.ts';
import type { BacklogAnswer } from '../lib/live/messages.ts';
import { withOwnerApi } from '../lib/owner-api.ts';
import { traceClient } from '../lib/telemetry/powertools.ts';

const sqs = traceClient(new SQSClient());
const variables = readEnv({
  CLICK_QUEUE_URL: httpUrl,
  CLICK_QUEUES: positiveInteger,
  CLICK_DLQ_URL: httpUrl,
  CLICK_RULE_DLQ_URL: httpUrl,
});
const numbers = Array.from({ length: variables.CLICK_QUEUES }, (_, queue) => queue);
const queueUrls = {
  waiting: numbers.map((queue) => clickQueueUrl(variables.CLICK_QUEUE_URL, queue)),
  deadLetters: [variables.CLICK_DLQ_URL, variables.CLICK_RULE_DLQ_URL],
};
const readBacklog = createBacklogReader(sqs, queueUrls);

/** GET /live/backlog: the number of messages that wait to be counted, and the number of dead letters. */
export const handler = withOwnerApi(async () => {
  const backlog = await readBacklog();
  if (!backlog) throw noBacklogError();
  return json(200, backlog satisfies BacklogAnswer);
});
