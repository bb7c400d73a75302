import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseQuery } from '../../../lib/http/parse-request.ts';
import { parseCode } from '../../../lib/links/code.ts';
import {
  listQuerySchema,
  parseLinkUpdate as parseUpdateWithPolicy,
  parseNewLink as parseWithPolicy,
  statsQuerySchema,
} from '../../../lib/links/link-request.ts';

const badRequest = (message: string) => expect.objectContaining({ statusCode: 400, message });
const url = 'https://example.com/';
const enterUrl = 'Enter a web address, such as https://example.com/page.';
const shortenUrl =
  'Shorten the address: 2,048 characters are the maximum, and special characters count several times.';
const changeCode =
  "Use 4 to 32 letters, digits, hyphens or underscores. A hyphen can't be the first.";

const policy = { serviceHosts: ['go.example.com'], blockedDomains: ['blocked.example'] };
const parseNewLink = (body: unknown) => parseWithPolicy(body, policy);
const parseStatsQuery = (query: Parameters<typeof parseQuery>[1]) =>
  parseQuery(statsQuerySchema, query);
const parseListQuery = (query: Record<string, string>) => parseQuery(listQuerySchema, query);
const parseLinkUpdate = (body: unknown) => parseUpdateWithPolicy(body, policy);

/** A URL of exactly this many characters. */
const urlOfLength = (length: number) => url.padEnd(length, 'x');

function refusalOf(run: () => unknown): unknown {
  try {
    return { accepted: run() };
  } catch (error) {
    return error;
  }
}

const host253 = `${'a.'.repeat(126)}b.`;
const unknownField = (name: string, remedy: string) =>
  `expected the body to be an object without "${name}" (${remedy}); got {`;

describe('the body of a new link', () => {
  test.each([
    ...['http://example.com', 'https://example.com', 'https://example.com:8443/a"b<c>|d'],
    ...['HTTPS://EXAMPLE.COM/Path?q=1&r=%20#top', 'http://[2606:4700::1111]:8080/'],
    ...['https://1.1.1.1/', 'https://example.com/@user', 'https://example.com?mail=a@example.com'],
    ...['https://example.com#a@b', 'https://example.com/%5C', urlOfLength(2_048)],
    `https://${host253}:65535/`,
  ])('takes %s unchanged', (given) => {
    expect(parseNewLink({ url: given })).toEqual({ url: given });
  });

  const invisible = [
    ...[' ', '\t', '\r\n', '\u0000', '\u00a0', '\u00ad', '\u180e', '\u200b', '\u200c', '\u200d'],
    ...['\u200e', '\u200f', '\u2028', '\u202a\u202c', '\u2060', '\u2066', '\u2800', '\u3000'],
    ...['\u3164', '\ufeff', '\u200b \ufeff\n\u200b'],
  ];

  test.each([
    ...invisible.map((text) => [`${text}https://example.com/a${text}`, 'https://example.com/a']),
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['https://example.com/a b?c=d e#f g', 'https://example.com/a%20b?c=d%20e#f%20g'],
    ['https://example.com/a  b', 'https://example.com/a%20%20b'],
    ['https://example.com/a\u00a0b', 'https://example.com/a%20b'],
    ['https://example.com/\u2764\ufe0f', 'https://example.com/%E2%9D%A4%EF%B8%8F'],
    ['https://example.com/a\u200bb', 'https://example.com/a%E2%80%8Bb'],
    [
      'https://bücher.example/straße?q=é#ü',
      'https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%A9#%C3%BC',
    ],
    // "é" becomes the 6 characters "%C3%A9". The start has 20.
    [`${url}${'é'.repeat(338)}`, `${url}${'%C3%A9'.repeat(338)}`],
  ])('stores the URL %j without invisible ends and encoded', (given, stored) => {
    expect(parseNewLink({ url: given })).toEqual({ url: stored });
  });

  test.each(['abcd', 'A-b_9', '_-_-', 'x'.repeat(32)])('takes the code %s', (code) => {
    expect(parseNewLink({ url, code })).toEqual({ url, code });
  });

  const refused = {
    [enterUrl]: [
      ...[
        undefined,
        null,
        7,
        '',
        '/path',
        'example.com',
        '//example.com',
        'https://',
        '\u200b',
        ' ',
      ],
      ...['https:example.com', 'https:///example.com', 'ftp://example.com/', 'bücher.example'],
      ...['ftp://https://example.com', 'javascript:alert(1)', 'data:text/html,hello'],
      ...['javascript://example.com/%0aalert(1)', 'file:///etc/passwd', 'https://[::1/'],
      ...['https://example.com:65536/', 'https://exa mple.com/', 'https ://example.com/'],
      'https://example.com /a',
    ],
    'Remove the line breaks and control characters from the address.': [
      ...['https://example.com/\r\nset-cookie: a=b', 'java\tscript:alert(1)'],
      ...['https://example.com/\u0000/', 'https://example.com/\u0085/'],
      ...['https://example.com/\u2028/', 'https://example.com/\ud800'],
    ],
    'Remove the backslash from the address.': [
      ...[
        'https://example.com\\@other.example/',
        'https:\\\\example.com/',
        'https://\\example.com/',
      ],
      'https://example.com/a?b=\\',
    ],
    'Remove the user name and password from the address.': [
      ...[
        'https://user:password@example.com/',
        'https://user@example.com',
        'https://@example.com/',
      ],
      ...['https://:@example.com/', 'https://a@b@example.com?c'],
      'https://your-bank.example%2F@other.example#d',
    ],
    'Enter an address on the public internet. This one is private or local.': ['http://127.0.0.1/'],
    "A link can't lead to this service. Enter another address.": [
      'https://GO.example.com:8443/abcd',
    ],
    "This service doesn't allow links to blocked.example. Enter another address.": [
      'https://a.blocked.example/',
    ],
    [shortenUrl]: [urlOfLength(2_049), ' '.repeat(2_049), `${url}${'é'.repeat(339)}`],
    'Shorten the domain: 253 characters are the maximum.': [
      ...[`a${host253}:65535`, '语'.repeat(261), '%e8%af%ad'.repeat(30)].flatMap((host) =>
        ['', '/', '?a', '#a'].map((end) => `https://${host}${end}`),
      ),
    ],
  };

  test.each(
    Object.entries(refused).flatMap(([reason, urls]) => urls.map((given) => ({ reason, given }))),
  )('refuses the URL $given: $reason', ({ reason, given }) => {
    expect(refusalOf(() => parseNewLink({ url: given }))).toMatchObject({
      ...{ statusCode: 400, message: reason, fields: { url: reason } },
    });
  });

  test.each([
    ...['abc', 'x'.repeat(33), '', 'ab cd', 'abcd\n', 'ab/cd', 'ab.cd', 'ab%20cd', 'äbcd', 'аbcd'],
    ...['٤٤٤٤', null, 12_345, ['abcd']],
  ])('refuses the code %j', (code) => {
    expect(refusalOf(() => parseNewLink({ url, code }))).toEqual(badRequest(changeCode));
  });

  test.each(['links', 'Links', 'LIVE', 'login'])('refuses the reserved code %s', (code) => {
    expect(refusalOf(() => parseNewLink({ url, code }))).toEqual(
      badRequest('This code is reserved. Choose another one.'),
    );
  });

  test.each([
    ...['slug', 'customSlug', 'alias', 'keyword', 'back_half', 'shortUrl', 'Code'].map((name) => [
      name,
      'use "code"',
    ]),
    ...['longUrl', 'target'].map((name) => [name, 'use "url"']),
    ...['expires', 'expires_at', 'validUntil'].map((name) => [name, 'use "expiresAt"']),
    ...['title', 'constructor'].map((name) => [
      name,
      'its fields are url, code, expiresAt, disabled',
    ]),
    ['enabled', 'use "disabled"'],
  ])('refuses the unknown field %s: %s', (name = '', remedy = '') => {
    expect(refusalOf(() => parseNewLink({ url, [name]: 'a' }))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining(unknownField(name, remedy)),
    });
  });

  test('names every invalid field at once', () => {
    expect(refusalOf(() => parseNewLink({ url: 'example.com', code: 'abc' }))).toMatchObject({
      ...{ statusCode: 400, message: `${enterUrl} ${changeCode}` },
      fields: { url: enterUrl, code: changeCode },
    });
  });

  test.each([null, [], 'text', 7, true])('rejects %j because it is not an object', (body) => {
    expect(refusalOf(() => parseNewLink(body))).toEqual(
      badRequest(
        'expected the body to be a JSON object such as {"url": "https://example.com"}; ' +
          `got ${JSON.stringify(body)}`,
      ),
    );
  });
});

describe("a query's days", () => {
  test.each([
    undefined,
    {},
    { from: '2026-05-26' },
    { to: '2024-02-29' },
    { from: '2026-05-26', to: '2026-05-26' },
    { from: '2025-12-31', to: '2026-01-01' },
  ])('may be %j', (query) => {
    expect(parseStatsQuery(query)).toEqual(query ?? {});
  });

  test.each([
    ...['', '2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-5-26', '26-05-26'],
    ...['20260526', '2026-05-26T00:00:00Z', '2026-05-26 ', '2026-05-26,2026-05-27', 'today'],
    '٢٠٢٦-٠٥-٢٦',
  ])('may not be %j', (date) => {
    const message = (side: string) =>
      `expected "${side}" to be a date such as 2026-05-26; got ${JSON.stringify(date)}`;

    expect(refusalOf(() => parseStatsQuery({ from: date }))).toEqual(badRequest(message('from')));
    expect(refusalOf(() => parseStatsQuery({ from: date, to: date }))).toEqual(
      badRequest(`${message('from')}; ${message('to')}`),
    );
  });

  test('may not end before they begin', () => {
    expect(refusalOf(() => parseStatsQuery({ from: '2026-05-27', to: '2026-05-26' }))).toEqual(
      badRequest('expected "from" to be a date on or before "to"; got "2026-05-27"'),
    );
  });
});

describe('the body of a change', () => {
  test.each([
    ['expires', '{"disabled":true,"expires":"a"}', 'use "expiresAt"'],
    ['target', '{"target":"a"}', 'use "url"'],
    ['code', '{"disabled":true,"code":"a"}', 'its fields are url, expiresAt, disabled, expected'],
  ])('has no field %s: %s', (name, body, remedy) => {
    expect(refusalOf(() => parseLinkUpdate(JSON.parse(body)))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining(`an object without "${name}" (${remedy})`),
    });
  });

  test.each([true, false])('takes disabled %j', (disabled) => {
    expect(parseLinkUpdate({ disabled })).toEqual({ disabled });
  });

  test('takes a destination by the rules of a new link', () => {
    expect(parseLinkUpdate({ url: 'https://bücher.example/' })).toEqual({
      url: 'https://xn--bcher-kva.example/',
    });
    expect(refusalOf(() => parseLinkUpdate({ url: 'http://127.0.0.1/' }))).toEqual(
      badRequest('Enter an address on the public internet. This one is private or local.'),
    );
  });

  test.each([
    [
      { expected: { url } },
      'expected the body to be a JSON object such as {"disabled": true} with a change; ' +
        'got {"expected":{"url":"https://example.com/"}}',
    ],
    [{}, 'expected the body to be a JSON object such as {"disabled": true} with a change; got {}'],
    [{ disabled: 'true' }, 'expected "disabled" to be true or false; got "true"'],
    [null, 'expected the body to be a JSON object such as {"disabled": true}; got null'],
  ])('refuses %j', (body, reason) => {
    expect(refusalOf(() => parseLinkUpdate(body))).toEqual(badRequest(reason));
  });
});

describe('an expiry', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-26T10:00:00Z') });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ['2026-05-26T10:00:01Z', '2026-05-26T10:00:01.000Z'],
    ['2026-05-26T23:00:00.5+02:00', '2026-05-26T21:00:00.500Z'],
    ['2036-05-26T09:59:59Z', '2036-05-26T09:59:59.000Z'],
    [null, null],
  ])('takes %j', (given, expiresAt) => {
    expect(parseNewLink({ url, expiresAt: given })).toEqual({ url, expiresAt });
    expect(parseLinkUpdate({ expiresAt: given })).toEqual({ expiresAt });
  });

  test.each([
    ['2026-05-26T10:00:00Z', 'Enter a time in the future.'],
    ['2026-05-26T11:59:59+02:00', 'Enter a time in the future.'],
    ...['2036-05-26T10:00:00Z', '9999-12-31T23:59:59-01:00'].map((given): [string, string] => [
      given,
      'Enter a time within 10 years, or none for a link that never expires.',
    ]),
    ...['2026-05-27T10:00:00', '2026-05-27', '2027-02-29T10:00:00Z', 1_800_000_000].map(
      (given): [unknown, string] => [
        given,
        'Enter a time with its time zone, such as 2026-05-26T18:00:00Z.',
      ],
    ),
  ])('refuses %j', (expiresAt, reason) => {
    const refused = badRequest(reason);

    expect(refusalOf(() => parseNewLink({ url, expiresAt }))).toEqual(refused);
    expect(refusalOf(() => parseLinkUpdate({ expiresAt }))).toEqual(refused);
  });
});

test.each([parseListQuery, parseStatsQuery])('a query has a known format: %o', (parseQuery) => {
  expect(parseQuery({ format: 'csv' })).toMatchObject({ format: 'csv' });
  expect(refusalOf(() => parseQuery({ format: 'xml' }))).toEqual(
    badRequest('expected "format" to be json or csv; got "xml"'),
  );
});

describe("a list's query", () => {
  test('has a limit of 25 links by default', () => {
    expect(parseListQuery({})).toEqual({ limit: 25 });
  });

  test.each(['1', '1000'])('takes the limit %s', (limit) => {
    expect(parseListQuery({ limit, cursor: 'YWJjZA' })).toEqual({
      limit: Number(limit),
      cursor: 'YWJjZA',
    });
  });

  test.each(['0', '1001', '-1', '1.5', '1e1', '0x1', ' 1', '', 'ten', '1,2', '10000'])(
    'refuses the limit %j',
    (limit) => {
      const expected = `expected "limit" to be a whole number from 1 to 1000; got "${limit}"`;
      expect(refusalOf(() => parseListQuery({ limit }))).toEqual(badRequest(expected));
    },
  );
});

describe('a code in a path', () => {
  test.each(['Ab-_', 'login'])('is accepted if a link could ever have had it: %s', (code) => {
    expect(parseCode(code)).toBe(code);
  });

  test.each([
    ['abc', '"abc"'],
    ['x'.repeat(33), `"${'x'.repeat(33)}"`],
    ['favicon.ico', '"favicon.ico"'],
    [undefined, '""'],
  ])('is not found if no link can have it: %s', (code, shown) => {
    expect(refusalOf(() => parseCode(code))).toEqual(
      expect.objectContaining({
        statusCode: 404,
        message: `There is no link with the code ${shown}.`,
      }),
    );
  });
});
