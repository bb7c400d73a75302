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
  vi.stubEnv('OWN_DOMAINS', '');
  vi.stubEnv('CLICK_QUEUE_URL', 'http://localhost:1/000000000000/never-reached');
  vi.stubEnv('CLICK_QUEUES', '1');
  vi.stubEnv('API_HOST', 'a1.execute-api.us-east-1.amazonaws.com');
  vi.stubEnv('DOMAIN_NAME', 'go.example.com');
  vi.stubEnv('EDGE_HOST', 'd111111abcdef8.cloudfront.net');
  vi.stubEnv('PUBLIC_ORIGIN', 'https://go.example.com');
  vi.stubEnv('BLOCKED_DOMAINS', 'evil.example');
});

const creation = { routeKey: 'POST /links' };
const list = { routeKey: 'GET /links' };
const change = { routeKey: 'PATCH /links/{code}' };
const visit = { routeKey: 'GET /{code}' };
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
    'expected url to be an absolute http or https URL; got nothing',
  ],
  [
    resolveLink,
    { ...visit, ...path('favicon.ico') },
    404,
    'There is no link with the code "favicon.ico".',
  ],
  [resolveLink, visit, 404, 'There is no link with the code "".'],
  [getLinkStats, stats, 404, 'There is no link with the code "".'],
  [getLinkStats, { ...stats, ...path('a.b') }, 404, 'There is no link with the code "a.b".'],
  [
    listLinks,
    { ...list, queryStringParameters: { limit: '0' } },
    400,
    'expected limit to be a whole number from 1 to 100; got "0"',
  ],
  [
    updateLink,
    { ...change, ...path('abcd'), body: '{}' },
    400,
    'expected disabled to be true or false; got nothing',
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

// On some stacks that is too deep to quote.
const depth = 10_000;
const inArrays = `${'['.repeat(depth)}${']'.repeat(depth)}`;
const inObjects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const base64 = (bytes: string | Buffer) => ({
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
});

test.each([
  ['arrays that never end', { body: '['.repeat(50_000) }, '"[[['],
  ['arrays in arrays', { body: inArrays }, 'expected the body to be'],
  ['objects in objects', { body: inObjects }, 'expected url to be'],
  ['a field of arrays in arrays', { body: `{"url":${inArrays}}` }, 'expected url to be'],
  ['a field of objects in objects', { body: `{"url":${inObjects}}` }, 'expected url to be'],
  ['arrays in arrays in base64', base64(inArrays), 'expected the body to be'],
  ['bytes that are no UTF-8', base64(Buffer.from([0x22, 0xff, 0x22])), 'got "\ufffd"'],
  ['base64 that is none', { body: '%%%', isBase64Encoded: true }, 'got ""'],
  ['half a surrogate pair', { body: '"\\ud800"' }, 'got "\\ud800"'],
  ['64 KB and a byte', { body: ' '.repeat(65_537) }, 'to have at most 65536 bytes; got 65537'],
  ['the most that API Gateway passes on', base64('['.repeat(10_000_000)), 'got 10000000'],
])('a body is refused with the reason, however hostile: %s', async (_, body, reason) => {
  const { statusCode, body: answer } = await call(createLink, { ...creation, ...body });

  expect(statusCode).toBe(400);
  expect(answer.message).toContain(reason);
  expect(answer.message.length).toBeLessThan(250);
});

test('a body may have 64 KB', async () => {
  const body = `{"url":1${' '.repeat(65_536 - '{"url":1}'.length)}}`;

  const { body: answer } = await call(createLink, { ...creation, body });

  expect(answer.message).toBe('expected url to be an absolute http or https URL; got 1');
});

test.each([
  ["the stage's domain", 'http://go.example.com/abcd'],
  ['the address on CloudFront', 'http://d111111abcdef8.cloudfront.net/abcd'],
  ['the address on execute-api', 'http://a1.execute-api.us-east-1.amazonaws.com/abcd'],
])('a link to the service itself is refused: %s', async (_, url) => {
  const headers = { host: 'forged.example', 'x-forwarded-proto': 'http' };

  expect(
    await call(createLink, { ...creation, headers, body: JSON.stringify({ url }) }),
  ).toMatchObject({
    statusCode: 400,
    body: { message: `expected url to be a URL outside of this service; got "${url}"` },
  });
});

test('a link to a domain that the stage blocks is refused', async () => {
  const body = JSON.stringify({ url: 'https://www.evil.example/' });

  expect(await call(createLink, { ...creation, body })).toMatchObject({
    statusCode: 400,
    body: {
      message:
        'expected url to be a URL outside of evil.example, which this service blocks; ' +
        'got "https://www.evil.example/"',
    },
  });
});

test.each([
  [creation, createLink],
  [list, listLinks],
  [change, updateLink],
  [stats, getLinkStats],
])('%j without a caller is unauthorized, whatever else is wrong', async (route, handler) => {
  const { statusCode, body } = await call(handler, { ...route, body: 'no JSON' }, '');

  expect([statusCode, body]).toEqual([401, { message: 'Unauthorized' }]);
});
