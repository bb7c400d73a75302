import { expect, test, vi } from 'vitest';
import { handler } from '../../../functions/resolve-link.ts';
import { call } from '../../helpers/http-api.ts';

vi.hoisted(() => {
  vi.stubEnv('TABLE_NAME', 'never-reached');
  vi.stubEnv('BUS_NAME', 'never-reached');
  vi.stubEnv('CLICK_QUEUE_URL', 'http://localhost:1/000000000000/never-reached');
});

test('a path without a code is answered with 404', async () => {
  expect(await call(handler, {})).toMatchObject({
    statusCode: 404,
    body: { message: 'There is no link with the code "".' },
  });
});

test('a code that no link can have is answered with 404, without a read', async () => {
  expect(await call(handler, { pathParameters: { code: 'favicon.ico' } })).toMatchObject({
    statusCode: 404,
    headers: { 'cache-control': 'no-store' },
    body: { message: 'There is no link with the code "favicon.ico".' },
  });
});
