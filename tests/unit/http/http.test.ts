import { expect, test, vi } from 'vitest';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { readJsonBody, withHttpApi } from '../../../lib/http/http.ts';
import { readCaller } from '../../../lib/http/request.ts';
import { call } from '../../helpers/http-api.ts';
import { useOutput } from '../../helpers/output.ts';

// The module reads this variable at init.
const secret = vi.hoisted(() => 's'.repeat(32));
vi.hoisted(() => vi.stubEnv('ORIGIN_SECRETS', secret));
const output = useOutput();

test('a function behind CloudFront runs only for requests with a secret', async () => {
  const handle = vi.fn();

  const direct = await call(withHttpApi(handle), { routeKey: '$default' });

  expect(direct.statusCode).toBe(403);
  expect(handle).not.toHaveBeenCalled();
});

test('a handler that throws is answered with 500 and logged, without the secret', async () => {
  const handler = withHttpApi(async ({ headers }) => {
    throw new TypeError(`failed with ${JSON.stringify(headers)}`);
  });
  const headers = { host: 'a', 'x-origin-secret': secret };

  const answer = await call(handler, { routeKey: '$default', headers });

  expect(answer).toEqual({
    statusCode: 500,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body: { message: 'Internal Server Error' },
  });
  const error = { name: 'TypeError', message: 'failed with {"host":"a"}' };
  expect(output.lines()).toMatchObject([{ level: 'ERROR', message: 'A request failed.', error }]);
  expect(JSON.stringify(output.lines())).not.toContain(secret);
});

const inBase64 = (text: string) => {
  return { body: Buffer.from(text).toString('base64'), isBase64Encoded: true };
};
const most = `"${'é'.repeat(32_767)}"`;
const tooLong = 'to have at most 65536 bytes; got 65537';

test('a body has at most 64 KB, in any encoding', () => {
  expect(readJsonBody(makeHttpEvent({ body: most }))).toHaveLength(32_767);
  expect(readJsonBody(makeHttpEvent(inBase64(most)))).toHaveLength(32_767);
});

test.each([
  ['undefined', { body: undefined }, 'to be JSON; got ""'],
  ['cut short', { body: '{"url":' }, 'to be JSON; got "{\\"url\\":"'],
  ['long', { body: 'x'.repeat(60_000) }, `to be JSON; got "${'x'.repeat(79)}… (60002)`],
  ['too long', { body: `${most} ` }, tooLong],
  ['too long in base64', inBase64(`${most} `), tooLong],
])('a body is rejected if it is %s', (_, parts, reason) => {
  const rejection = { statusCode: 400, message: `expected the body ${reason}` };

  expect(() => readJsonBody({ ...makeHttpEvent(), ...parts })).toThrow(
    expect.objectContaining(rejection),
  );
});

const inToken = (claims: object) => ({ authorizer: { jwt: { claims } } });
const read = (requestContext: object) =>
  readCaller(makeHttpEvent({ requestContext: requestContext as never }));

test.each([
  ['no authorizer', {}],
  ['no subject', inToken({ email: 'anna@example.com' })],
  ['a long subject', inToken({ sub: 'x'.repeat(129) })],
  ["a subject that isn't a string", inToken({ sub: 7 })],
])("the caller is the verified token's subject, and unauthorized with %s", (_, context) => {
  const headers = { 'www-authenticate': 'Bearer' };

  expect(read(inToken({ sub: 'x'.repeat(128) }))).toBe('x'.repeat(128));
  expect(() => read(context)).toThrow(
    expect.objectContaining({ statusCode: 401, message: 'Unauthorized', headers }),
  );
});
