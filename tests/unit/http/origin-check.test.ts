import { describe, expect, test, vi } from 'vitest';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { ConfigError } from '../../../lib/config.ts';
import { createOriginCheck, readOriginSecrets } from '../../../lib/http/origin-check.ts';
import { call } from '../../helpers/http-api.ts';
import { useOutput } from '../../helpers/output.ts';

const output = useOutput();
const first = 'first-secret-of-32-characters-00';
const second = 'second-secret-of-32-characters-0';
const forbidden = {
  statusCode: 403,
  message:
    'expected the request to come through CloudFront; got a direct request to API Gateway. ' +
    'Use the address of this service.',
};

const requestWith = (secret?: string) =>
  makeHttpEvent({
    headers: {
      'user-agent': 'Firefox',
      ...(secret !== undefined && { 'x-origin-secret': secret }),
    },
  });

describe('the secrets that CloudFront sends', () => {
  test('come from the variable, and may be absent', () => {
    expect(readOriginSecrets(`${first},${second}`)).toEqual([first, second]);
    expect(readOriginSecrets(undefined)).toEqual([]);
  });

  test.each(['', ',', `${first},`, `${first},${'c'.repeat(31)}`])(
    'are rejected without being shown if one is missing or short: %j',
    (list) => {
      expect(() => readOriginSecrets(list)).toThrow(
        new ConfigError(
          'expected ORIGIN_SECRETS to be secrets of at least 32 characters, separated by commas; ' +
            'got a shorter one. infra/edge.yml sets it.',
        ),
      );
    },
  );
});

describe('behind CloudFront, a request', () => {
  const check = createOriginCheck([first, second]);

  test.each([first, second])('with a secret passes, and the secret is removed: %s', (secret) => {
    expect(check(requestWith(secret)).headers).toEqual({ 'user-agent': 'Firefox' });
  });

  test.each([
    ['without a secret', undefined],
    ['with an empty one', ''],
    ['with the start of one', first.slice(0, -1)],
    ['with more than one', `${first}0`],
    ['with both at once', `${first},${second}`],
    ['with one in upper case', first.toUpperCase()],
  ])('%s is refused', (_, secret) => {
    expect(() => check(requestWith(secret))).toThrow(expect.objectContaining(forbidden));
  });
});

test("without CloudFront, every request passes, without CloudFront's headers, which are kept with a secret", () => {
  const { headers, ...request } = requestWith(first);
  const sent = { ...request, headers: { ...headers, 'cloudfront-viewer-country': 'US' } };

  expect(createOriginCheck([])(sent).headers).toEqual({ 'user-agent': 'Firefox' });
  expect(createOriginCheck([first])(sent).headers).toMatchObject({
    'cloudfront-viewer-country': 'US',
  });
});

test('a function behind CloudFront runs only for requests with a secret, and never logs it', async () => {
  vi.resetModules();
  vi.stubEnv('ORIGIN_SECRETS', `${first},${second}`);
  const { withHttpApi } = await import('../../../lib/http/http.ts');
  vi.unstubAllEnvs();
  const handle = vi.fn(async ({ headers }: { headers: object }) => {
    throw new Error(`failed with ${JSON.stringify(headers)}`);
  });
  const handler = withHttpApi(handle);
  const headers = { 'x-origin-secret': second };

  const direct = await call(handler, { routeKey: '$default' });
  expect(handle).not.toHaveBeenCalled();
  const { statusCode } = await call(handler, { routeKey: '$default', headers });

  expect(direct).toMatchObject({ statusCode: 403, body: { message: forbidden.message } });
  expect(statusCode).toBe(500);
  expect(handle).toHaveBeenCalledOnce();
  expect(JSON.stringify(output.lines())).toContain('failed with');
  expect(JSON.stringify(output.lines())).not.toContain('secret');
});
