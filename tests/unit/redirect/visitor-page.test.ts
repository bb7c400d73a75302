import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { expiredError, goneError, unavailableError } from '../../../lib/links/rules/code.ts';
import { visitorPage } from '../../../lib/redirect/visitor-page.ts';
import { linkVariables, stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { call } from '../../helpers/http-api.ts';

const variables = {
  ...linkVariables,
  TABLE_NAME: 'clicks',
  BUS_NAME: 'bus',
  AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:1',
  CLICK_QUEUE_URL: 'http://localhost:1/queue',
  CLICK_QUEUES: '1',
  CLICKS_VIA: 'bus',
  OWN_DOMAINS: '',
};

/** No link can have this code, so nothing is read. */
async function open(headers: Record<string, string>) {
  stubAwsEnvironment(variables);
  const { handler } = await import('../../../functions/resolve-link.ts');
  return call(handler, { routeKey: 'GET /{code}', pathParameters: { code: '.env' }, headers });
}

test('a visitor of an unknown link gets a page that is not cached and may only use its own style', async () => {
  const { statusCode, headers, body } = await open({ accept: 'text/html,*/*;q=0.8' });

  expect(statusCode).toBe(404);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'en',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(body).toContain("<h1>This link doesn't exist.</h1>");
  const [, style = ''] = /<style>(.*)<\/style>/.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'`;
  expect(headers['content-security-policy']).toContain(policy);
  expect(body.length).toBeLessThan(2_000);
});

test.each([
  ['*/*', 'html'],
  ['application/json, text/html', 'html'],
  ['application/json', 'JSON'],
  ['application/problem+json, application/json;q=0.9', 'JSON'],
])('a client that accepts %s gets %s', async (accept, type) => {
  const { headers, body } = await open({ accept });

  const isJson = headers['content-type'] === 'application/json';
  expect(isJson ? 'JSON' : 'html').toBe(type);
  if (isJson) expect(body).toEqual({ message: 'There is no link with the code ".env".' });
});

const titles = { en: "This link isn't available.", de: 'Dieser Link ist nicht verfügbar.' };

test.each([
  ['de', ['de', 'de-AT,de;q=0.9,en;q=0.8', 'EN;q=0.2, DE; q=0.9']],
  ['en', [undefined, 'fr-FR, de;q=0.5, en;q=0.7', 'de;q=0', 'constructor', ',;q=x,'.repeat(500)]],
] as const)('a browser gets the language %s if it prefers any of %j', (language, preferences) => {
  for (const preferred of preferences) {
    const { headers, body } = visitorPage(goneError('spring'), preferred);

    expect(headers).toMatchObject({ 'content-language': language });
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(`<h1>${titles[language]}</h1>`);
  }
});

test('a page says that its link has expired', () => {
  expect(visitorPage(expiredError('spring')).body).toContain('<h1>This link has expired.</h1>');
});

test("while a link can't be looked up, the page asks to try again, and no browser remembers it", () => {
  const { statusCode, headers, body } = visitorPage(unavailableError('spring'), 'de');

  expect(statusCode).toBe(503);
  expect(headers).toMatchObject({ 'retry-after': '60', 'cache-control': 'no-store' });
  expect(body).toContain('<h1>Dieser Link lässt sich gerade nicht öffnen.</h1>');
});
