import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { logger, tracer, withPowertools } from '../telemetry/powertools.ts';

/** A request that is answered with a status and the reason, which the caller gets to read. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/**
 * Makes a Lambda handler for an HTTP API of payload version 2. An {@link HttpError} becomes its
 * answer; any other error is logged and traced, and the caller learns only that there was one.
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

/** An answer that is never cached: counts change, and an unknown code may be created later. */
export function json(statusCode: number, body: object): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}

/** A redirect that every visit takes anew, so that every visit is counted. */
export function redirect(location: string): APIGatewayProxyStructuredResultV2 {
  return { statusCode: 302, headers: { location, 'cache-control': 'no-store' } };
}

/** The body's JSON value. Throws an {@link HttpError} of 400. */
export function readJsonBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): unknown {
  if (!body) throw new HttpError(400, 'The body must be JSON, but it is empty.');
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, `The body must be JSON, but it is ${show(text)}.`);
  }
}

/** Scheme and domain that the caller used. Only API Gateway names a scheme; locally it is http. */
export function readOrigin({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const scheme = headers['x-forwarded-proto'] ?? 'http';
  return `${scheme}://${headers.host ?? requestContext.domainName}`;
}

const shownLength = 80;

/** A caller's value as an error message may repeat it: quoted, escaped and short. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
