import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { logger, tracer, withPowertools } from '../telemetry/powertools.ts';
import { parseJson } from '../validation.ts';
import { badRequest, HttpError } from './http-error.ts';

/**
 * Wraps a handler for an HTTP API (payload version 2). Turns an {@link HttpError} into a response
 * with its status and reason. Logs and traces any other error and answers 500 without details.
 */
export function withHttpApi(
  handle: (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>,
) {
  return withPowertools(async (event: APIGatewayProxyEventV2) => {
    try {
      return await handle(event);
    } catch (error) {
      if (error instanceof HttpError) return json(error.statusCode, { message: error.message });
      logger.error('A request failed.', { error });
      tracer?.addErrorAsMetadata(error as Error);
      return json(500, { message: 'Internal Server Error' });
    }
  });
}

/** A JSON answer that nobody caches: counts change, and a missing link may be created later. */
export function json(statusCode: number, body: object): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}

/** A redirect that nobody caches, so that every visit counts. */
export function redirect(location: string): APIGatewayProxyStructuredResultV2 {
  return { statusCode: 302, headers: { location, 'cache-control': 'no-store' } };
}

/** Parses the body as JSON. Throws an {@link HttpError} of 400. */
export function readJsonBody({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): unknown {
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  return parseJson(text, badRequest('the body'));
}

/** The domain of the request, without a port. */
export function readDomain({ headers, requestContext }: APIGatewayProxyEventV2): string {
  return (headers.host ?? requestContext.domainName).toLowerCase().replace(/:\d+$/, '');
}

/** The scheme and domain of the request. Without API Gateway there is no scheme: it is http. */
export function readOrigin({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const scheme = headers['x-forwarded-proto'] ?? 'http';
  return `${scheme}://${headers.host ?? requestContext.domainName}`;
}
