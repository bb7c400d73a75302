import { IdempotencyValidationError } from '@aws-lambda-powertools/idempotency';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2WithJWTAuthorizer, Context } from 'aws-lambda';
import { ConditionFailedError, createCommitClient } from 'powertools-idempotency-transactional';
import { createBooking, InvalidOrderError, type Order, parseOrder } from './orders.ts';

/** Books one order of the caller. The caller's same `Idempotency-Key` gets the same answer. */
export function createHandler(client: DynamoDBClient) {
  const booking = createBooking(client);
  const respond = async (order: Order, _: Context) => booking.persistenceStore.responseOf(order);
  const bookOnce = middy(respond).use(makeHandlerIdempotent(booking));
  return async (event: APIGatewayProxyEventV2WithJWTAuthorizer, context: Context) => {
    const { requestContext, headers, body = '', isBase64Encoded } = event;
    const { sub } = requestContext.authorizer.jwt.claims;
    try {
      const key = headers['idempotency-key'];
      if (!key) throw new InvalidOrderError('expected the header Idempotency-Key; got none');
      const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
      const order = parseOrder(text, { id: `${sub}.${key}`, customer: sub });
      return await bookOnce({ ...order, request: nameRequest(event) }, context);
    } catch (error) {
      return explain(error as Error);
    }
  };
}

function nameRequest({
  requestContext: { http },
  rawPath,
  rawQueryString,
}: APIGatewayProxyEventV2WithJWTAuthorizer) {
  return `${http.method} ${rawPath}${rawQueryString && `?${rawQueryString}`}`;
}

// Draft of the IETF: https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header
function explain(error: Error) {
  if (error instanceof InvalidOrderError) return reject(400, error.message);
  if (error instanceof IdempotencyValidationError)
    return reject(422, 'another request has this key');
  if (error.cause instanceof ConditionFailedError) return reject(409, 'order or voucher is taken');
  throw error;
}

function reject(statusCode: number, message: string) {
  return { statusCode, body: JSON.stringify({ message }) };
}

export const handler = createHandler(createCommitClient());
