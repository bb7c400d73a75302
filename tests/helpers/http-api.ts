import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';

type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** An API Gateway event of payload version 2, as far as the functions read it. */
export function httpEvent(parts: Partial<APIGatewayProxyEventV2> = {}): APIGatewayProxyEventV2 {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/',
    rawQueryString: '',
    headers: { host: 'go.example.com', 'x-forwarded-proto': 'https' },
    isBase64Encoded: false,
    requestContext: { domainName: 'go.example.com' } as APIGatewayProxyEventV2['requestContext'],
    ...parts,
  };
}

/** Calls a handler as Lambda does, and reads its answer. */
export async function call(handler: Handler, parts: Partial<APIGatewayProxyEventV2>) {
  const context = { functionName: 'under-test', awsRequestId: 'request-1' } as Context;
  const { statusCode, headers = {}, body } = await handler(httpEvent(parts), context);
  return { statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
}
