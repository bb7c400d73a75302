import '../../helpers/unreachable-service.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { handler } from '../../../functions/resolve-link.ts';
import { visitorPage } from '../../../lib/links/visitor-page.ts';
import { call } from '../../helpers/http-api.ts';

const inBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** No link can have this code, so nothing is read. */
const open = (headers: Record<string, string>) =>
  call(handler, { routeKey: 'GET /{code}', pathParameters: { code: 'a.b' }, headers });

describe('a visitor of an unknown link', () => {
  test('gets a page that is not cached and may only use its own style', async () => {
    const { statusCode, headers, body } = await open({ accept: inBrowser });

    expect(statusCode).toBe(404);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'text/html; charset=utf-8', 'content-language': 'en' },
      ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    });
    expect(body).toContain("<h1>This link doesn't exist.</h1>");
    const [, style = ''] = /<style>(.*)<\/style>/.exec(body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(
      `default-src 'none'; style-src 'sha256-${hash}'`,
    );
    expect(body.length).toBeLessThan(2_000);
  });

  test.each([undefined, '*/*', 'image/avif,*/*', 'application/json, text/html'])(
    'gets the page if it accepts %s',
    async (accept) => {
      const { headers } = await open(accept === undefined ? {} : { accept });

      expect(headers['content-type']).toBe('text/html; charset=utf-8');
    },
  );

  test.each(['application/json', 'application/problem+json, application/json;q=0.9'])(
    'gets JSON if it accepts only %s',
    async (accept) => {
      const { statusCode, body } = await open({ accept });

      expect([statusCode, body]).toEqual([
        404,
        { message: 'There is no link with the code "a.b".' },
      ]);
    },
  );
});

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-FR, de;q=0.5, en;q=0.7', 'en'],
  ['EN;q=0.2, DE; q=0.9', 'de'],
  ['de;q=0, en', 'en'],
  ['fr', 'en'],
  ['constructor', 'en'],
  [',;q=x,'.repeat(500), 'en'],
])('a browser that prefers %j gets the language %s', (acceptLanguage, language) => {
  const { headers, body } = visitorPage(410, 'disabled', acceptLanguage);

  expect(headers).toMatchObject({ 'content-language': language });
  expect(body).toContain(`<html lang="${language}">`);
});

test.each([
  ['disabled', 'de', 'Dieser Link ist nicht verfügbar.'],
  ['expired', 'en', 'This link has expired.'],
] as const)('a link that is %s says so', (obstacle, language, title) => {
  expect(visitorPage(410, obstacle, language).body).toContain(`<h1>${title}</h1>`);
});
