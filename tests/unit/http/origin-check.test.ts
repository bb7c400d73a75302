import { expect, test } from 'vitest';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { ConfigError } from '../../../lib/config.ts';
import { createOriginCheck, readOriginSecrets } from '../../../lib/http/origin-check.ts';

const first = 'first-secret-of-32-characters-00';
const second = 'second-secret-of-32-characters-0';
const country = { 'cloudfront-viewer-country': 'US' };
const message =
  'expected the request to come through CloudFront; got a direct request to API Gateway. ' +
  'Use the address of this service.';

/** A request's headers after the check for these secrets. */
const check = (secrets: string[], sent: Record<string, string>) =>
  createOriginCheck(secrets)(makeHttpEvent({ headers: { host: 'a', ...sent } })).headers;

test('the secrets come from the variable, and may be absent', () => {
  expect(readOriginSecrets(`${first},${second}`)).toEqual([first, second]);
  expect(readOriginSecrets(undefined)).toEqual([]);
});

test.each(['', ',', `${first},`, `${first},${'c'.repeat(31)}`])(
  'the secrets are rejected without being shown if one is missing or short: %j',
  (list) => {
    expect(() => readOriginSecrets(list)).toThrow(
      new ConfigError(
        'expected ORIGIN_SECRETS to be secrets of at least 32 characters, separated by commas; ' +
          'got a shorter one. infra/edge.yml sets it.',
      ),
    );
  },
);

test('a request with a secret passes without it, and only then may it have headers of CloudFront', () => {
  for (const secret of [first, second]) {
    const sent = { 'x-origin-secret': secret, ...country };
    expect(check([first, second], sent)).toEqual({ host: 'a', ...country });
  }
  expect(check([], { 'x-origin-secret': first, ...country })).toEqual({ host: 'a' });
});

test.each([
  ...[undefined, '', first.slice(0, -1), `${first}0`, `${first},${second}`, first.toUpperCase()],
])('behind CloudFront, a request with the secret %j is rejected', (secret) => {
  const sent: Record<string, string> = secret === undefined ? {} : { 'x-origin-secret': secret };

  expect(() => check([first, second], sent)).toThrow(
    expect.objectContaining({ statusCode: 403, message }),
  );
});
