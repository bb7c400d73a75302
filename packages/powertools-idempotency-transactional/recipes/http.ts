import {
  IdempotencyConfig,
  IdempotencyKeyError,
  IdempotencyValidationError,
} from '@aws-lambda-powertools/idempotency';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { TransactionalPersistenceLayer } from 'powertools-idempotency-transactional';
import { effectsOf, InvalidOrderError, options, parseOrder } from './booking.js';

const config = new IdempotencyConfig({
  eventKeyJmesPath:
    '[requestContext.authorizer.jwt.claims.sub, headers."idempotency-key"] | [0] && [1] && @',
  payloadValidationJmesPath: '[requestContext.http.method, rawPath, rawQueryString, body]',
  hashFunction: 'sha256',
  throwOnNoIdempotencyKey: true,
  expiresAfterSeconds: options.markerTtlSeconds,
});
const layer = new TransactionalPersistenceLayer<APIGatewayProxyEventV2>({
  ...options,
  config,
  effects: ({ body, isBase64Encoded }) => {
    const order = parseOrder(
      Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString(),
    );
    const response = { statusCode: 201, body: JSON.stringify({ booked: order.id }) };
    return { ...effectsOf(order), response };
  },
});
// All other errors stay errors, so that Lambda reports them and API Gateway responds with a 500.
function reject(error: unknown) {
  if (error instanceof IdempotencyValidationError) return { statusCode: 422 };
  const { cause } = Object(error);
  const isClients = cause instanceof IdempotencyKeyError || cause instanceof InvalidOrderError;
  return isClients ? { statusCode: 400 } : undefined;
}

const respond = async (event: APIGatewayProxyEventV2, _context: Context) => layer.responseOf(event);

export const handler = middy(respond)
  .use(makeHandlerIdempotent({ persistenceStore: layer, config, keyPrefix: 'REQUEST' }))
  .onError(async ({ error }) => reject(error));
