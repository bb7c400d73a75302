import { createHash, timingSafeEqual } from 'node:crypto';
import { ConfigError } from '../config.ts';
import { HttpError } from './http-error.ts';
/** CloudFront adds this header to each request, and overwrites a viewer's own (infra/edge.yml). */
const originHeader = 'x-origin-secret';
// An empty secret would match a request without the header.
const minSecretLength = 32;
/**
 * The secrets that CloudFront may send with a request; empty without CloudFront. Throws a
 * {@link ConfigError} that doesn't show them.
 */
export function readOriginSecrets(list = process.env.ORIGIN_SECRETS) {
    if (list === undefined)
        return [];
    const secrets = list.split(',');
    if (secrets.every((secret) => secret.length >= minSecretLength))
        return secrets;
    throw new ConfigError(`expected ORIGIN_SECRETS to be secrets of at least ${minSecretLength} characters, separated by ` +
        'commas; got a shorter one. infra/edge.yml sets it.');
}
/**
 * Creates a function that returns a request without its secret, to keep the secret out of logs. If
 * secrets are configured, it throws an {@link HttpError} of 403 unless the request has one of them.
 * Otherwise it accepts every request, without the headers that only CloudFront may set.
 */
export function createOriginCheck(secrets) {
    const digests = secrets.map(digest);
    return (event) => {
        const { [originHeader]: sent = '', ...headers } = event.headers;
        if (digests.length === 0)
            return { ...event, headers: withoutCloudFront(headers) };
        if (isAmong(digests, digest(sent)))
            return { ...event, headers };
        throw new HttpError(403, 'expected the request to come through CloudFront; got a direct request to API Gateway. ' +
            'Use the address of this service.');
    };
}
/** Without a secret, nothing shows that headers such as cloudfront-viewer-country aren't forged. */
function withoutCloudFront(headers) {
    const others = Object.entries(headers).filter(([name]) => !name.startsWith('cloudfront-'));
    return Object.fromEntries(others);
}
/** Compares all of them, so the time taken doesn't reveal which one matched, or how much of it. */
function isAmong(digests, sent) {
    return digests.map((digest) => timingSafeEqual(digest, sent)).includes(true);
}
/** timingSafeEqual needs buffers of equal length. */
function digest(text) {
    return createHash('sha256').update(text).digest();
}
