import { describe, expect, test } from 'vitest';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { readCaller } from '../../../lib/http/caller.ts';
import { readJsonBody, withHttpApi } from '../../../lib/http/http.ts';
import { call } from '../../helpers/http-api.ts';
import { useOutput } from '../../helpers/output.ts';

const output = useOutput();

test('a handler that throws is answered with 500 and logged', async () => {
  const handler = withHttpApi(async () => {
    throw new TypeError('the table is gone');
  });

  const answer = await call(handler, { routeKey: '$default' });

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
  expect(output.lines()).toMatchObject([
    {
      level: 'ERROR',
      message: 'A request failed.',
      error: { name: 'TypeError', message: 'the table is gone' },
    },
  ]);
});

describe('a body', () => {
  test.each([undefined, null])('may be %s without one', (none) => {
    const event = makeHttpEvent({ body: none as undefined });

    expect(() => readJsonBody({ ...event, body: none as undefined })).toThrow(
      expect.objectContaining({
        statusCode: 400,
        message: 'expected the body to be JSON; got ""',
      }),
    );
  });

  test('is read from base64', () => {
    const body = 'eyJ1cmwiOiLDqSJ9'; // {"url":"é"}

    expect(readJsonBody(makeHttpEvent({ body, isBase64Encoded: true }))).toEqual({ url: 'é' });
  });

  test('has at most 64 KB, in any encoding', () => {
    const most = `"${'é'.repeat(32_767)}"`;
    const inBase64 = (text: string) => ({
      body: Buffer.from(text).toString('base64'),
      isBase64Encoded: true,
    });
    const tooLong = expect.objectContaining({
      statusCode: 400,
      message: 'expected the body to have at most 65536 bytes; got 65537',
    });

    expect(readJsonBody(makeHttpEvent({ body: most }))).toHaveLength(32_767);
    expect(readJsonBody(makeHttpEvent(inBase64(most)))).toHaveLength(32_767);
    expect(() => readJsonBody(makeHttpEvent({ body: `${most} ` }))).toThrow(tooLong);
    expect(() => readJsonBody(makeHttpEvent(inBase64(`${most} `)))).toThrow(tooLong);
  });

  test.each([
    ['missing', undefined, '""'],
    ['empty', '', '""'],
    ['cut short', '{"url":', '"{\\"url\\":"'],
    ['a form', 'url=https%3A%2F%2Fexample.com', '"url=https%3A%2F%2Fexample.com"'],
    ['base64 without its mark', 'eyJ1cmwiOiLDqSJ9', '"eyJ1cmwiOiLDqSJ9"'],
    ['long', 'x'.repeat(60_000), `"${'x'.repeat(79)}… (60002)`],
  ])('is refused if it is %s', (_, body, shown) => {
    expect(() => readJsonBody(makeHttpEvent({ body }))).toThrow(
      expect.objectContaining({
        statusCode: 400,
        message: `expected the body to be JSON; got ${shown}`,
      }),
    );
  });
});

describe('the caller', () => {
  test.each(['0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', 'x'.repeat(128)])(
    'is the subject of the verified token: %s',
    (sub) => {
      expect(readCaller(makeHttpEvent({}, { caller: sub }))).toBe(sub);
    },
  );

  test.each([
    ['no authorizer', {}],
    ['an authorizer of another kind', { authorizer: { lambda: { sub: 'anna' } } }],
    ['no subject', { authorizer: { jwt: { claims: { email: 'anna@example.com' } } } }],
    ['an empty subject', { authorizer: { jwt: { claims: { sub: '' } } } }],
    ['a long subject', { authorizer: { jwt: { claims: { sub: 'x'.repeat(129) } } } }],
    ["a subject that isn't a string", { authorizer: { jwt: { claims: { sub: 7 } } } }],
  ])('is unauthorized with %s', (_, context) => {
    const requestContext = context as ReturnType<typeof makeHttpEvent>['requestContext'];

    expect(() => readCaller(makeHttpEvent({ requestContext }))).toThrow(
      expect.objectContaining({
        ...{ statusCode: 401, message: 'Unauthorized' },
        headers: { 'www-authenticate': 'Bearer' },
      }),
    );
  });
});
