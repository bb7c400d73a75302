import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { v7 as mintRun } from 'uuid';
import { readVisit } from '../lib/clicks/visit.ts';
import { nonEmptyString, positiveInteger, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { withOwnerApi } from '../lib/http/owner-api.ts';
import { parseBody, parseQuery } from '../lib/http/parse-request.ts';
import { readServiceHosts } from '../lib/http/service-hosts.ts';
import { auditLinks } from '../lib/links/audit.ts';
import { notFoundError } from '../lib/links/code.ts';
import { getLink } from '../lib/links/links.ts';
import type { RunAnswer, TryAnswer } from '../lib/live/answer-schemas.ts';
import { countRun, putClicks } from '../lib/live/run-clicks.ts';
import { buildMessages } from '../lib/live/scenarios.ts';
import { parseRun, runQuerySchema, trySchema } from '../lib/live/try-request.ts';
import { traceClient } from '../lib/telemetry/powertools.ts';

const variables = readEnv({
  BUS_NAME: nonEmptyString,
  MAX_RECEIVE_COUNT: positiveInteger,
  VISIBILITY_TIMEOUT_SECONDS: positiveInteger,
});
/** The number of attempts before a message is set aside, and the seconds between them. */
const tries = {
  attempts: variables.MAX_RECEIVE_COUNT,
  attemptSeconds: variables.VISIBILITY_TIMEOUT_SECONDS,
};
const serviceHosts = readServiceHosts();
const bus = { client: traceClient(new EventBridgeClient()), busName: variables.BUS_NAME };

/**
 * POST /live/try sends clicks to one of the caller's links. GET /live/try/{run} returns the number
 * counted.
 */
export const handler = withOwnerApi((event, caller) =>
  event.pathParameters?.run === undefined ? tryClicks(event, caller) : readRun(event),
);

async function tryClicks(event: APIGatewayProxyEventV2, caller: string) {
  const { code, scenario } = parseBody(trySchema, readJsonBody(event));
  const link = await getLink(table, code);
  if (link?.owner !== caller) throw notFoundError(code);
  const run = mintRun();
  const visit = readVisit(event.headers, serviceHosts);
  const { details, ...outcome } = buildMessages(scenario, { run, code, visit, at: new Date() });
  await putClicks(bus, details);
  auditLinks({ action: 'tried', sub: caller, code });
  const messages = details.length;
  return json(202, { run, messages, ...outcome, ...tries } satisfies TryAnswer);
}

async function readRun(event: APIGatewayProxyEventV2) {
  const run = parseRun(event.pathParameters?.run);
  const { clicks } = parseQuery(runQuerySchema, event.queryStringParameters);
  return json(200, { counted: await countRun(table, run, clicks) } satisfies RunAnswer);
}
