import '../../helpers/unreachable-service.ts';
import { expect, test } from 'vitest';
import { handler as createLink } from '../../../functions/create-link.ts';
import { handler as getLinkStats } from '../../../functions/get-link-stats.ts';
import { handler as listLinks } from '../../../functions/list-links.ts';
import { handler as updateLink } from '../../../functions/update-link.ts';
import { call } from '../../helpers/http-api.ts';

const unknown = 'There is no link with the code "a..b".';

// Without a caller, other faults don't matter. With one, each request is parsed.
test.each([
  [createLink, 'POST /links', { body: '{}' }, 400, 'Enter a web address, such as https://exam'],
  [createLink, 'POST /links', { body: 'url=a' }, 400, 'expected the body to be JSON; got "url=a"'],
  [listLinks, 'GET /links', { queryStringParameters: { limit: '0' } }, 400, 'expected "limit" to'],
  [updateLink, 'PATCH /links/{code}', { pathParameters: { code: 'a..b' } }, 404, unknown],
  [getLinkStats, 'GET /links/{code}/stats', { pathParameters: { code: 'a..b' } }, 404, unknown],
  [
    ...[getLinkStats, 'GET /links/{code}/stats'],
    ...[{ pathParameters: { code: 'abcd' }, queryStringParameters: { to: 'now' } }, 400],
    'expected "to" to be a date',
  ],
] as const)(
  'a request is refused with the reason, and without a caller: %s %s %j',
  async (...row) => {
    const [handler, routeKey, parts, status, reason] = row;

    const { statusCode, headers, body } = await call(handler, { routeKey, ...parts });
    const withoutCaller = await call(handler, { routeKey, ...parts }, '');

    expect([statusCode, body.message]).toEqual([status, expect.stringContaining(reason)]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(withoutCaller).toMatchObject({ statusCode: 401, body: { message: 'Unauthorized' } });
  },
);
