import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { checkKey } from './api-keys/key-check.ts';
import { positiveInteger, readEnv } from './config.ts';
import { updateItem } from './dynamodb/requests.ts';
import { table } from './dynamodb/table.ts';
import { withHttpApi } from './http/http.ts';
import { invalidKeyError, readOnlyKeyError, tooManyRequestsError } from './http/http-error.ts';
import { readCaller, rejectQuery } from './http/request.ts';
import { userRequestsKey } from './keys.ts';
import { logger } from './telemetry/powertools.ts';

const minuteSeconds = 60;
const countTimeoutMs = 500;
const limitVariables = { REQUESTS_PER_USER_PER_MINUTE: positiveInteger };
const { REQUESTS_PER_USER_PER_MINUTE: requestsPerMinute } = readEnv(limitVariables);

/**
 * Users who have reached their rate limit in this minute. Their further requests aren't counted, so
 * they can't throttle the counter's item.
 */
class LimitedUsers {
  #minute = 0;
  readonly #users = new Set<string>();

  has(user: string, minute: number): boolean {
    return minute === this.#minute && this.#users.has(user);
  }

  add(user: string, minute: number): void {
    if (minute !== this.#minute) this.#users.clear();
    this.#minute = minute;
    this.#users.add(user);
  }
}

const limitedUsers = new LimitedUsers();

/** API Gateway doesn't check anything on these routes, which are for API keys. */
const isForKeys = ({ routeKey }: APIGatewayProxyEventV2) => routeKey.includes(' /api/links');

/**
 * Wraps a handler for routes that need a token or an API key, and passes it the user's id. Answers 429
 * if the user has exceeded the rate limit, which applies to all environments, routes and keys together, and
 * 400 to a query that the handler doesn't read.
 */
export function withOwnerApi(
  handle: (
    event: APIGatewayProxyEventV2,
    caller: string,
  ) => Promise<APIGatewayProxyStructuredResultV2>,
  { readsQuery = false } = {},
) {
  return withHttpApi(async (event) => {
    const caller = isForKeys(event) ? await readKeyUser(event) : readCaller(event);
    const nowSeconds = Date.now() / 1_000;
    const minute = Math.floor(nowSeconds / minuteSeconds);
    const isKnown = limitedUsers.has(caller, minute);
    if (isKnown || (await countRequest(caller, minute)) > requestsPerMinute) {
      limitedUsers.add(caller, minute);
      const retryAfterSeconds = Math.ceil(minuteSeconds - (nowSeconds % minuteSeconds));
      throw tooManyRequestsError(requestsPerMinute, retryAfterSeconds);
    }
    if (!readsQuery) rejectQuery(event.queryStringParameters);
    return handle(event, caller);
  });
}

/** The user for whom a key acts. A key of the scope `read` only permits GET. */
async function readKeyUser({ headers, requestContext }: APIGatewayProxyEventV2) {
  const key = await checkKey(headers.authorization);
  if (!key) throw invalidKeyError();
  logger.appendKeys({ apiKey: key.id });
  if (key.scope === 'read' && requestContext.http.method !== 'GET') throw readOnlyKeyError();
  return key.user;
}

/** Counts the request and returns the caller's total in this minute, or 0 if counting fails. */
async function countRequest(caller: string, minute: number): Promise<number> {
  const update = {
    Key: userRequestsKey(caller, minute),
    UpdateExpression: 'SET #ttl = :ttl ADD requests :one',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':ttl': (minute + 2) * minuteSeconds, ':one': 1 },
  };
  try {
    const abortSignal = AbortSignal.timeout(countTimeoutMs);
    const { item } = await updateItem<{ requests: number }>({ ...table, abortSignal }, update);
    return item?.requests ?? 0;
  } catch (error) {
    // The limit protects the service from one user. Rejecting everyone would do more harm.
    logger.warn("A request could not be counted against its user's limit.", { error });
    return 0;
  }
}

interface AuditEntry {
  /** In the past tense, such as `created`. */
  action: string;
  /** The user's id, which is the token's `sub`. Never a name or an e-mail address. */
  sub: string;
  /** One link, or those of a list. */
  code?: string;
  codes?: string[];
}

/** Logs what a user did with links. Call it after the action has succeeded. */
export function auditLinks(entry: AuditEntry): void {
  logger.info('link audit', { ...entry });
}

/** Logs what a user did with an API key. Requests with a key have its id in all their log lines. */
export function auditKey(entry: { action: 'created' | 'revoked'; sub: string; id: string }): void {
  logger.info('key audit', entry);
}
