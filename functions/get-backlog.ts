import { SQSClient } from '@aws-sdk/client-sqs';
import { readBacklogConfig } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json } from '../lib/http/http.ts';
import { withOwnerApi } from '../lib/http/owner-api.ts';
import type { BacklogAnswer } from '../lib/live/answer-schemas.ts';
import { createBacklogReader } from '../lib/live/backlog.ts';
import { noBacklog } from '../lib/live/refusals.ts';
import { traceClient } from '../lib/telemetry/powertools.ts';

const sqs = traceClient(new SQSClient());
const readBacklog = createBacklogReader({ table, sqs, queueUrls: readBacklogConfig() });

/** GET /live/backlog: how many messages wait to be counted, and how many are set aside. */
export const handler = withOwnerApi(async () => {
  const backlog = await readBacklog();
  if (!backlog) throw noBacklog();
  return json(200, backlog satisfies BacklogAnswer);
});
