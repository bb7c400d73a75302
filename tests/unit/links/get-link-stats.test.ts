import { expect, test, vi } from 'vitest';
import { handler } from '../../../functions/get-link-stats.ts';
import { call } from '../../helpers/http-api.ts';

vi.hoisted(() => vi.stubEnv('TABLE_NAME', 'never-reached'));

test('a path without a code is answered with 404', async () => {
  expect(await call(handler, {})).toMatchObject({
    statusCode: 404,
    body: { message: 'There is no link with the code "".' },
  });
});

test('a code that no link can have is answered with 404, without a read', async () => {
  expect(await call(handler, { pathParameters: { code: 'a.b' } })).toMatchObject({
    statusCode: 404,
    body: { message: 'There is no link with the code "a.b".' },
  });
});

test('a day that does not exist is answered with 400 and the reason', async () => {
  const request = { pathParameters: { code: 'abcd' }, queryStringParameters: { to: '2026-02-30' } };

  expect(await call(handler, request)).toMatchObject({
    statusCode: 400,
    body: { message: 'expected to to be a date such as 2026-05-26; got "2026-02-30"' },
  });
});
