import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import { makeHttpEvent } from '../../evidence/kit/http-events.ts';

type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** Invokes a handler as Lambda does, by default on behalf of `a-user`, and parses its answer. */
export async function call(
  handler: Handler,
  parts: Partial<APIGatewayProxyEventV2>,
  caller?: string,
) {
  const context = { functionName: 'under-test', awsRequestId: 'request-1' } as Context;
  const {
    statusCode,
    headers = {},
    body,
  } = await handler(makeHttpEvent(parts, { caller }), context);
  return { statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
}
