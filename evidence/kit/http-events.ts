import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * Makes an HTTP API event, payload version 2, with the fields that the functions read. `caller` is
 * the subject of the token that the authorizer has verified.
 */
export function makeHttpEvent(
  parts: Partial<APIGatewayProxyEventV2> = {},
  { caller = 'a-user', method = 'GET' } = {},
): APIGatewayProxyEventV2 {
  const authorizer = { jwt: { claims: { sub: caller }, scopes: null } };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/',
    rawQueryString: '',
    headers: { host: 'go.example.com', 'x-forwarded-proto': 'https' },
    isBase64Encoded: false,
    requestContext: {
      domainName: 'go.example.com',
      http: { method },
      authorizer,
    } as unknown as APIGatewayProxyEventV2['requestContext'],
    ...parts,
  };
}
