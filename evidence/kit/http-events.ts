import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Makes an HTTP API event, payload version 2, with the fields that the functions read. */
export function makeHttpEvent(
  parts: Partial<APIGatewayProxyEventV2> = {},
  method = 'GET',
): APIGatewayProxyEventV2 {
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
    } as APIGatewayProxyEventV2['requestContext'],
    ...parts,
  };
}
