import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ConfigError } from '../config.ts';
import { HttpError } from './http-error.ts';

/** CloudFront adds it to each request, and replaces one that a viewer sends (infra/edge.yml). */
const originHeader = 'x-origin-secret';
// An empty secret would match a request without the header.
const minSecretLength = 32;

/**
 * The secrets that CloudFront may send with a request; none if there is no CloudFront. Throws a
 * {@link ConfigError} that does not show them.
 */
export function readOriginSecrets(list = process.env.ORIGIN_SECRETS): string[] {
  if (list === undefined) return [];
  const secrets = list.split(',');
  if (secrets.every((secret) => secret.length >= minSecretLength)) return secrets;
  throw new ConfigError(
    `expected ORIGIN_SECRETS to be secrets of at least ${minSecretLength} characters, separated by ` +
      'commas; got a shorter one. infra/edge.yml sets it.',
  );
}

/**
 * Creates a function that returns a request without its secret, which then reaches no log. With
 * secrets, it throws an {@link HttpError} of 403 unless the request has one of them; without, it
 * takes every request.
 */
export function createOriginCheck(secrets: readonly string[]) {
  const digests = secrets.map(digest);
  return (event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 => {
    const { [originHeader]: sent = '', ...headers } = event.headers;
    if (digests.length > 0 && !isAmong(digests, digest(sent))) throw notThroughCloudFrontError();
    return { ...event, headers };
  };
}

/** Compares with all of them, so the time taken does not reveal which one matched, or how much of it. */
function isAmong(digests: readonly Buffer[], sent: Buffer): boolean {
  return digests.map((digest) => timingSafeEqual(digest, sent)).includes(true);
}

/** timingSafeEqual compares only buffers of the same length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function notThroughCloudFrontError(): HttpError {
  const reason = 'expected the request to come through CloudFront; got one to API Gateway itself';
  return new HttpError(403, `${reason}. Use the address of this service.`);
}
