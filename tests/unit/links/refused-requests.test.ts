import { expect, test, vi } from 'vitest';
import { handler as createLink } from '../../../functions/create-link.ts';
import { handler as getLinkStats } from '../../../functions/get-link-stats.ts';
import { handler as listLinks } from '../../../functions/list-links.ts';
import { handler as resolveLink } from '../../../functions/resolve-link.ts';
import { handler as updateLink } from '../../../functions/update-link.ts';
import { call } from '../../helpers/http-api.ts';

// Nothing answers at these: a refused request reads and writes nothing.
vi.hoisted(() => {
  vi.stubEnv('TABLE_NAME', 'never-reached');
  vi.stubEnv('LINKS_PER_DAY', '1');
  vi.stubEnv('BUS_NAME', 'never-reached');
  vi.stubEnv('CLICK_QUEUE_URL', 'http://localhost:1/000000000000/never-reached');
});

const path = (code: string) => ({ pathParameters: { code } });
const statsUntil = (to: string) => ({ ...path('abcd'), queryStringParameters: { to } });

test.each([
  [createLink, { body: 'url=a' }, 400, 'expected the body to be JSON; got "url=a"'],
  [
    createLink,
    { body: '{}' },
    400,
    'expected url to be an absolute http or https URL; got nothing',
  ],
  [resolveLink, path('favicon.ico'), 404, 'There is no link with the code "favicon.ico".'],
  [resolveLink, {}, 404, 'There is no link with the code "".'],
  [
    listLinks,
    { queryStringParameters: { limit: '0' } },
    400,
    'expected limit to be a whole number from 1 to 100; got "0"',
  ],
  [
    updateLink,
    { ...path('abcd'), body: '{}' },
    400,
    'expected disabled to be true or false; got nothing',
  ],
  [updateLink, { ...path('a.b'), body: '{}' }, 404, 'There is no link with the code "a.b".'],
  [getLinkStats, {}, 404, 'There is no link with the code "".'],
  [getLinkStats, path('a.b'), 404, 'There is no link with the code "a.b".'],
  [
    getLinkStats,
    statsUntil('2026-02-30'),
    400,
    'expected to to be a date such as 2026-05-26; got "2026-02-30"',
  ],
])(
  'a refused request is answered with the reason: $3',
  async (handler, request, status, reason) => {
    const { statusCode, headers, body } = await call(handler, request);

    expect([statusCode, body]).toEqual([status, { message: reason }]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  },
);

test.each([
  ['POST /links', createLink],
  ['GET /links', listLinks],
  ['PATCH /links/{code}', updateLink],
  ['GET /links/{code}/stats', getLinkStats],
])('%s without a caller is unauthorized, whatever else is wrong', async (_, handler) => {
  const { statusCode, body } = await call(handler, { body: 'no JSON' }, '');

  expect([statusCode, body]).toEqual([401, { message: 'Unauthorized' }]);
});
