import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { logger, tracer, withPowertools } from '../telemetry/powertools.ts';
import { checkBytes, parseJson } from '../validation.ts';
import { badRequestSubject, HttpError } from './http-error.ts';
import { createOriginCheck, readOriginSecrets } from './origin-check.ts';
import { takesEncoding } from './request.ts';

// Browsers must trust the content type instead of guessing it.
const noSniffing = { 'x-content-type-options': 'nosniff' };

/** Headers for every response except redirects. Other sites don't learn our pages' addresses. */
export const protectiveHeaders = { ...noSniffing, 'referrer-policy': 'no-referrer' };

/**
 * Headers for redirects. The policy applies to the request to the destination, whose referrer is
 * the page with the link (https://fetch.spec.whatwg.org/#http-redirect-fetch). This policy is the
 * browsers' default, so a destination still learns which site a visitor comes from. It can only
 * shorten a referrer: if the page doesn't send one, neither does the redirect. If the page sends
 * its full URL, the destination gets its origin.
 */
const redirectHeaders = {
  ...noSniffing,
  'referrer-policy': 'strict-origin-when-cross-origin',
};

// Far more than most routes need. A function accepts up to 6 MB, which takes a second to parse:
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const maxBodyBytes = 65_536;
const checkOrigin = createOriginCheck(readOriginSecrets());

type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * Wraps a handler for an HTTP API (payload version 2). Behind CloudFront, it first rejects a
 * request that bypassed CloudFront. An {@link HttpError} becomes a response with its status and
 * reason. Any other error is logged, traced and answered with 500, without details.
 */
export function withHttpApi(
  handle: (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>,
) {
  return withPowertools(async (event: APIGatewayProxyEventV2) => {
    try {
      return await handle(checkOrigin(event));
    } catch (error) {
      if (error instanceof HttpError) {
        const { statusCode, message, headers, fields } = error;
        return json(statusCode, { message, fields }, headers);
      }
      logger.error('A request failed.', { error });
      tracer?.addErrorAsMetadata(error as Error);
      return json(500, { message: 'Internal Server Error' });
    }
  });
}

/** A JSON response that isn't cached: counts change, and a missing link may be created later. */
export function json(statusCode: number, body: object, headers: ResponseHeaders = {}) {
  return uncached(statusCode, 'application/json', JSON.stringify(body), headers);
}

/** CSV that isn't cached. The path of the next page, if there is one, is in `Link` (RFC 8288). */
export function csv(body: string, nextPath?: string) {
  const headers: ResponseHeaders =
    nextPath === undefined ? {} : { link: `<${nextPath}>; rel="next"` };
  return uncached(200, 'text/csv; charset=utf-8', body, headers);
}

const minCompressedBytes = 10_000;

/**
 * Compresses a long response for a client that accepts it. A thousand links with short texts are 350 kB, and
 * a tenth of that compressed.
 */
export function compress(
  answer: APIGatewayProxyStructuredResultV2,
  acceptEncoding?: string,
): APIGatewayProxyStructuredResultV2 {
  const { body = '', headers } = answer;
  if (body.length < minCompressedBytes || !takesEncoding('gzip', acceptEncoding)) return answer;
  return {
    ...answer,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(body).toString('base64'),
    isBase64Encoded: true,
  };
}

/** A response that isn't cached, with the protective headers. */
export function uncached(
  statusCode: number,
  contentType: string,
  body: string,
  others: ResponseHeaders,
): APIGatewayProxyStructuredResultV2 {
  const common = { 'content-type': contentType, 'cache-control': 'no-store', ...protectiveHeaders };
  return { statusCode, headers: { ...common, ...others }, body };
}

/** A redirect that isn't cached, so every visit counts. */
export function redirect(location: string): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: 302,
    headers: { location, 'cache-control': 'no-store', ...redirectHeaders },
  };
}

/** Parses the body as JSON. Throws an {@link HttpError} of 400. */
export function readJsonBody(event: APIGatewayProxyEventV2, maxBytes = maxBodyBytes): unknown {
  const { isBase64Encoded } = event;
  // Without one, it's undefined on AWS, and null in serverless-offline.
  const body = event.body ?? '';
  const encoding = isBase64Encoded ? 'base64' : undefined;
  checkBytes(Buffer.byteLength(body, encoding), maxBytes, badRequestSubject('the body'));
  const text = isBase64Encoded ? Buffer.from(body, encoding).toString() : body;
  return parseJson(text, badRequestSubject('the body'));
}
