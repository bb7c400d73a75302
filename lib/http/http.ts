import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { logger, tracer, withPowertools } from '../telemetry/powertools.ts';
import { parseJson, type Subject } from '../validation.ts';

/** An answer with an error status and a reason for the caller. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

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

/** Describes a part of the request; if it is invalid, the response is a 400 with the reason. */
export function badRequest(name: string): Subject {
  return { name, refuse: (reason) => new HttpError(400, reason) };
}

/** Parses the body as JSON. Throws an {@link HttpError} of 400. */
export function readJsonBody({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): unknown {
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  return parseJson(text, badRequest('the body'));
}

/** The scheme and domain of the request. Without API Gateway there is no scheme: it is http. */
export function readOrigin({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const scheme = headers['x-forwarded-proto'] ?? 'http';
  return `${scheme}://${headers.host ?? requestContext.domainName}`;
}
