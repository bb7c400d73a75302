import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { assets, html } from 'virtual:dashboard';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takesEncoding } from '../../../lib/http/request.ts';
import { call } from '../../helpers/http-api.ts';

const environment = {
  STAGE: 'dev',
  JWT_ISSUER: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_a1',
  JWT_AUDIENCE: 'a-client',
  LOGIN_DOMAIN: 'tally.auth.us-east-1.amazoncognito.com',
  SIGN_IN_SCOPE: 'openid the-api/"links"&<all>',
  LIVE_URL: 'wss://a1.execute-api.us-east-1.amazonaws.com/dev',
};

beforeEach(() => {
  vi.resetModules();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});

afterEach(() => vi.unstubAllEnvs());

/** Gets the page. */
const open = (headers = {}) => request({ routeKey: 'GET /', headers });
/** Gets one of the page's files. */
const get = (file: string, headers = {}) =>
  request({ routeKey: 'GET /assets/{file}', pathParameters: { file }, headers });

async function request(parts: Parameters<typeof call>[1]) {
  const { handler } = await import('../../../functions/serve-page.ts');
  return call(handler, parts);
}

test('the page has its configuration, escaped for an HTML attribute', async () => {
  const { statusCode, body } = await open();

  const [, content = ''] = /<meta name="click-tally" content="([^"]*)"/.exec(body) ?? [];
  const entities = { '&quot;': '"', '&lt;': '<', '&amp;': '&' };
  let config = content;
  for (const [entity, text] of Object.entries(entities)) config = config.replaceAll(entity, text);
  expect(statusCode).toBe(200);
  expect(content).not.toContain('<');
  expect(JSON.parse(config)).toEqual({
    issuer: environment.JWT_ISSUER,
    clientId: 'a-client',
    stage: 'dev',
    scope: 'openid the-api/"links"&<all>',
    liveUrl: environment.LIVE_URL,
  });
});

test('the page refers to existing files, has no inline script or style, and may load only what it needs', async () => {
  const { body, headers } = await open();

  const names = [...body.matchAll(/\/assets\/([^"]+)"/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(3);
  expect(Object.keys(assets)).toEqual(expect.arrayContaining(names));
  expect(body).not.toMatch(/\{\{|<style|<script(?! type="module" src)|style="|\son\w+="/);
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
      "connect-src 'self' wss://a1.execute-api.us-east-1.amazonaws.com/dev " +
      'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_a1/ ' +
      "https://tally.auth.us-east-1.amazoncognito.com; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  });
});

test("the page is 304 for a browser with this version, but not with another stage's", async () => {
  const etag = `${(await open()).headers.etag}`;
  const known = await open({ 'if-none-match': `W/"old", ${etag}` });
  vi.stubEnv('JWT_AUDIENCE', 'another-client');
  vi.resetModules();
  const other = await open({ 'if-none-match': etag });

  expect(etag).toMatch(/^"[\w-]{22,}"$/);
  expect(known.statusCode).toBe(304);
  expect(other.statusCode).toBe(200);
  expect(known.headers?.['content-type']).toBe('text/html; charset=utf-8');
  expect(known.headers).toMatchObject({ etag, 'x-content-type-options': 'nosniff' });
});

test('a file is compressed for a browser that accepts Brotli, and cached for a year', async () => {
  const script = Object.keys(assets).find((name) => name.endsWith('.js')) ?? '';

  const { headers, body } = await get(script, { 'accept-encoding': 'gzip, br' });

  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  expect(`${brotliDecompressSync(Buffer.from(body, 'base64'))}`).toContain('click-tally');
});

test.each(['main.js', 'constructor', '../functions/serve-page.mjs'])(
  'GET /assets/%s is 404 and not cached',
  async (name) => {
    expect(await get(name)).toMatchObject({
      statusCode: 404,
      headers: { 'cache-control': 'no-store' },
      body: { message: "This file doesn't exist. Reload the page." },
    });
  },
);

test('the first view has at most 55 kB of JavaScript, compressed, and lazy code has its own file', () => {
  const sizeOf = (name: string) => {
    const body = brotliDecompressSync(Buffer.from(assets[name]?.brotli ?? '', 'base64'));
    return gzipSync(body).length;
  };
  const firstView = [...html.matchAll(/"\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const lazy = Object.keys(assets).filter((name) => /^lazy.*js$/.test(name));

  expect(firstView.reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThanOrEqual(55_000);
  expect(lazy.map((name) => firstView.includes(name))).toEqual([false, false]);
  expect(lazy.reduce((sum, name) => sum + sizeOf(name), 0)).toBeGreaterThan(10_000);
});

test.each([
  ['br', ['br', 'gzip, br;q=1.0, *;q=0.5', 'br; q=0.5', 'br;q=0.05, gzip'], true],
  ['br', ['br;q=0', 'br;q=0.000, gzip', 'gzip', 'brotli', undefined], false],
] as const)('%s may be sent to a client that accepts any of %j: %s', (encoding, headers, takes) => {
  expect(headers.map((header) => takesEncoding(encoding, header))).toEqual(
    headers.map(() => takes),
  );
});
