import '../../helpers/unreachable-service.ts';
import { expect, test } from 'vitest';
import { handler as createLink } from '../../../functions/create-link.ts';
import { handler as getLinkStats } from '../../../functions/get-link-stats.ts';
import { handler as listLinks } from '../../../functions/list-links.ts';
import { handler as updateLink } from '../../../functions/update-link.ts';
import { call } from '../../helpers/http-api.ts';

const creation = { routeKey: 'POST /links' };
const list = { routeKey: 'GET /links' };
const change = { routeKey: 'PATCH /links/{code}' };
const stats = { routeKey: 'GET /links/{code}/stats' };
const path = (code: string) => ({ pathParameters: { code } });
const statsUntil = (to: string) => ({
  ...stats,
  ...path('abcd'),
  queryStringParameters: { to },
});

test.each([
  [createLink, { ...creation, body: 'url=a' }, 400, 'expected the body to be JSON; got "url=a"'],
  [
    createLink,
    { ...creation, body: '{}' },
    400,
    'Enter a web address, such as https://example.com/page.',
  ],
  [getLinkStats, { ...stats, ...path('a.b') }, 404, 'There is no link with the code "a.b".'],
  [
    listLinks,
    { ...list, queryStringParameters: { limit: '0' } },
    400,
    'expected "limit" to be a whole number from 1 to 1000; got "0"',
  ],
  [
    updateLink,
    { ...change, ...path('a.b'), body: '{}' },
    404,
    'There is no link with the code "a.b".',
  ],
  [
    getLinkStats,
    statsUntil('2026-02-30'),
    400,
    'expected "to" to be a date such as 2026-05-26; got "2026-02-30"',
  ],
])('a rejected request gets the reason: $3', async (handler, request, status, reason) => {
  const { statusCode, headers, body } = await call(handler, request);

  expect([statusCode, body.message]).toEqual([status, reason]);
  expect(headers).toMatchObject({ 'cache-control': 'no-store' });
});

test.each([
  [creation, createLink],
  [list, listLinks],
  [change, updateLink],
  [stats, getLinkStats],
])('%j without a caller is unauthorized, even if it has other faults', async (route, handler) => {
  const { statusCode, body } = await call(handler, { ...route, body: 'no JSON' }, '');

  expect([statusCode, body]).toEqual([401, { message: 'Unauthorized' }]);
});
