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

describe('the body of a new link', () => {
  test.each([
    'http://example.com',
    'https://example.com',
    'HTTPS://EXAMPLE.COM/Path?q=1&r=%20#top',
    'https://example.com:8443/a"b<c>|d',
    'http://[2606:4700::1111]:8080/',
    'https://1.1.1.1/',
    'https://example.com/@user',
    'https://example.com?mail=a@example.com',
    'https://example.com#a@b',
    'https://example.com/%5C',
  ])('takes %s unchanged', (given) => {
    expect(parseNewLink({ url: given })).toEqual({ url: given });
  });

  test('percent-encodes characters that a header cannot hold', () => {
    expect(parseNewLink({ url: 'https://bücher.example/straße?q=é#ü' })).toEqual({
      url: 'https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%A9#%C3%BC',
    });
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 7],
    ['empty', ''],
    ['relative', '/path'],
    ['without a scheme', 'example.com'],
    ['relative to a scheme', '//example.com'],
    ['without a domain', 'https://'],
    ['without slashes', 'https:example.com'],
    ['with a path for a domain', 'https:///example.com'],
    ['ftp', 'ftp://example.com/'],
    ['ftp to a host called https', 'ftp://https://example.com'],
    ['relative and not ASCII', 'bücher.example'],
    ['javascript', 'javascript:alert(1)'],
    ['javascript with slashes', 'javascript://example.com/%0aalert(1)'],
    ['data', 'data:text/html,hello'],
    ['a file', 'file:///etc/passwd'],
    ['with a port beyond 65535', 'https://example.com:65536/'],
    ['with half an IPv6 address', 'https://[::1/'],
  ])('refuses a URL that is %s', (_, given) => {
    expect(refusalOf(() => parseNewLink({ url: given }))).toEqual(badRequest(enterUrl));
  });

  test.each([
    'https://example.com/\r\nset-cookie: a=b',
    'java\tscript:alert(1)',
    'https://example.com/\u0000/',
    'https://example.com/\u0085/',
    'https://example.com/\u2028/',
    'https://example.com/\ud800',
  ])('refuses a URL with a line break, a control character or a lone surrogate: %j', (given) => {
    expect(refusalOf(() => parseNewLink({ url: given }))).toEqual(
      badRequest('Remove the line breaks and control characters from the address.'),
    );
  });

  test.each([
    ...[' ', '\t', '\r\n', '\u0000', '\u00a0', '\u00ad', '\u180e', '\u200b', '\u200c', '\u200d'],
    ...['\u200e', '\u200f', '\u2028', '\u202a\u202c', '\u2060', '\u2066', '\u2800', '\u3000'],
    ...['\u3164', '\ufeff', '\u200b \ufeff\n\u200b'],
  ])('removes %j from both ends of a URL', (invisible) => {
    const given = `${invisible}https://example.com/a${invisible}`;

    expect(parseNewLink({ url: given })).toEqual({ url: 'https://example.com/a' });
  });

  test.each([
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['https://example.com/a b?c=d e#f g', 'https://example.com/a%20b?c=d%20e#f%20g'],
    ['https://example.com/a  b', 'https://example.com/a%20%20b'],
    ['https://example.com/a\u00a0b', 'https://example.com/a%20b'],
    ['https://example.com/\u2764\ufe0f', 'https://example.com/%E2%9D%A4%EF%B8%8F'],
    ['https://example.com/a\u200bb', 'https://example.com/a%E2%80%8Bb'],
  ])('encodes what is inside %j', (given, url) => {
    expect(parseNewLink({ url: given })).toEqual({ url });
  });

  test.each([
    'https://exa mple.com/',
    'https ://example.com/',
    'https://example.com /a',
    '\u200b',
    ' ',
  ])('refuses %j, which has a space in its host or nothing visible', (given) => {
    expect(refusalOf(() => parseNewLink({ url: given }))).toEqual(badRequest(enterUrl));
  });

  test.each([
    ['slug', 'use "code"'],
    ['customSlug', 'use "code"'],
    ['alias', 'use "code"'],
    ['keyword', 'use "code"'],
    ['back_half', 'use "code"'],
    ['shortUrl', 'use "code"'],
    ['Code', 'use "code"'],
    ['longUrl', 'use "url"'],
    ['target', 'use "url"'],
    ['expires', 'use "expiresAt"'],
    ['expires_at', 'use "expiresAt"'],
    ['validUntil', 'use "expiresAt"'],
    ['title', 'its fields are url, code, expiresAt, disabled'],
    ['enabled', 'use "disabled"'],
    ['constructor', 'its fields are url, code, expiresAt, disabled'],
  ])('refuses the unknown field %s: %s', (name, remedy) => {
    const expectation = `expected the body to be an object without "${name}" (${remedy}); got {`;

    expect(
      refusalOf(() => parseNewLink({ url: 'https://example.com/', [name]: 'a' })),
    ).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining(expectation),
    });
  });

  test.each([
    'https://example.com\\@other.example/',
    'https:\\\\example.com/',
    'https://\\example.com/',
    'https://example.com/a?b=\\',
  ])('refuses a URL with a backslash: %s', (given) => {
    expect(refusalOf(() => parseNewLink({ url: given }))).toEqual(
      badRequest('Remove the backslash from the address.'),
    );
  });

  test.each([
    'https://user:password@example.com/',
    'https://user@example.com',
    'https://@example.com/',
    'https://:@example.com/',
    'https://a@b@example.com?c',
    'https://your-bank.example%2F@other.example#d',
  ])('refuses a URL with a user name or a password, even an empty one: %s', (given) => {
    expect(refusalOf(() => parseNewLink({ url: given }))).toEqual(
      badRequest('Remove the user name and password from the address.'),
    );
  });

  test.each([
    ['http://127.0.0.1/', 'Enter an address on the public internet. This one is private or local.'],
    [
      'https://GO.example.com:8443/abcd',
      "A link can't lead to this service. Enter another address.",
    ],
    [
      'https://a.blocked.example/',
      "This service doesn't allow links to blocked.example. Enter another address.",
    ],
  ])('rejects %s for its host', (given, reason) => {
    expect(refusalOf(() => parseNewLink({ url: given }))).toMatchObject({
      ...{ statusCode: 400, message: reason },
      fields: { url: reason },
    });
  });

  test('takes 2,048 characters and refuses 2,049', () => {
    expect(parseNewLink({ url: urlOfLength(2_048) })).toEqual({ url: urlOfLength(2_048) });
    expect(refusalOf(() => parseNewLink({ url: urlOfLength(2_049) }))).toEqual(
      badRequest(shortenUrl),
    );
  });

  test('refuses a host that no domain can have, before parsing it', () => {
    const shortenHost = 'Shorten the domain: 253 characters are the maximum.';
    const longest = `${'a.'.repeat(126)}b.`;

    expect(parseNewLink({ url: `https://${longest}:65535/` }).url).toHaveLength(269);
    for (const host of [`a${longest}:65535`, '语'.repeat(261), '%e8%af%ad'.repeat(30)]) {
      for (const end of ['', '/', '?a', '#a']) {
        expect(refusalOf(() => parseNewLink({ url: `https://${host}${end}` }))).toEqual(
          badRequest(shortenHost),
        );
      }
    }
  });

  test('rejects a too long URL for its length, even if it has other faults', () => {
    expect(refusalOf(() => parseNewLink({ url: ' '.repeat(2_049) }))).toEqual(
      badRequest(shortenUrl),
    );
  });

  test('counts the characters of a URL after percent-encoding', () => {
    // "é" becomes the 6 characters "%C3%A9". The start has 20.
    expect(parseNewLink({ url: `${url}${'é'.repeat(338)}` }).url).toHaveLength(2_048);
    expect(refusalOf(() => parseNewLink({ url: `${url}${'é'.repeat(339)}` }))).toEqual(
      badRequest(shortenUrl),
    );
  });

  test.each(['abcd', 'A-b_9', '_-_-', 'x'.repeat(32)])('takes the code %s', (code) => {
    expect(parseNewLink({ url, code })).toEqual({ url, code });
  });

  test.each([
    'abc',
    'x'.repeat(33),
    '',
    'ab cd',
    'abcd\n',
    'ab/cd',
    'ab.cd',
    'ab%20cd',
    'äbcd',
    'аbcd',
    '٤٤٤٤',
    null,
    12_345,
    ['abcd'],
  ])('refuses the code %j', (code) => {
    expect(refusalOf(() => parseNewLink({ url, code }))).toEqual(badRequest(changeCode));
  });

  test.each(['links', 'Links', 'LIVE', 'login'])('refuses the reserved code %s', (code) => {
    expect(refusalOf(() => parseNewLink({ url, code }))).toEqual(
      badRequest('This back-half is reserved. Choose another one.'),
    );
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
    '',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-5-26',
    '26-05-26',
    '20260526',
    '2026-05-26T00:00:00Z',
    '2026-05-26 ',
    '2026-05-26,2026-05-27',
    'today',
    '٢٠٢٦-٠٥-٢٦',
  ])('may not be %j', (date) => {
    const message = (side: string) =>
      `expected ${side} to be a date such as 2026-05-26; got ${JSON.stringify(date)}`;

    expect(refusalOf(() => parseStatsQuery({ from: date }))).toEqual(badRequest(message('from')));
    expect(refusalOf(() => parseStatsQuery({ from: date, to: date }))).toEqual(
      badRequest(`${message('from')}; ${message('to')}`),
    );
  });

  test('may not end before they begin', () => {
    expect(refusalOf(() => parseStatsQuery({ from: '2026-05-27', to: '2026-05-26' }))).toEqual(
      badRequest('expected from to be a date on or before "to"; got "2026-05-27"'),
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
    [{ disabled: 'true' }, 'expected disabled to be true or false; got "true"'],
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
    [
      '2036-05-26T10:00:00Z',
      'Enter a time within 10 years, or none for a link that never expires.',
    ],
    [
      '9999-12-31T23:59:59-01:00',
      'Enter a time within 10 years, or none for a link that never expires.',
    ],
    ['2026-05-27T10:00:00', 'Enter a time with its time zone, such as 2026-05-26T18:00:00Z.'],
    ['2026-05-27', 'Enter a time with its time zone, such as 2026-05-26T18:00:00Z.'],
    ['2027-02-29T10:00:00Z', 'Enter a time with its time zone, such as 2026-05-26T18:00:00Z.'],
    [1_800_000_000, 'Enter a time with its time zone, such as 2026-05-26T18:00:00Z.'],
  ])('refuses %j', (expiresAt, reason) => {
    const refused = badRequest(reason);

    expect(refusalOf(() => parseNewLink({ url, expiresAt }))).toEqual(refused);
    expect(refusalOf(() => parseLinkUpdate({ expiresAt }))).toEqual(refused);
  });
});

test.each([parseListQuery, parseStatsQuery])('a query has a known format: %o', (parseQuery) => {
  expect(parseQuery({ format: 'csv' })).toMatchObject({ format: 'csv' });
  expect(refusalOf(() => parseQuery({ format: 'xml' }))).toEqual(
    badRequest('expected format to be json or csv; got "xml"'),
  );
});

describe("a list's query", () => {
  test('has a limit of 25 links by default', () => {
    expect(parseListQuery({})).toEqual({ limit: 25 });
  });

  test.each(['1', '100'])('takes the limit %s', (limit) => {
    expect(parseListQuery({ limit, cursor: 'YWJjZA' })).toEqual({
      limit: Number(limit),
      cursor: 'YWJjZA',
    });
  });

  test.each(['0', '101', '-1', '1.5', '1e1', '0x1', ' 1', '', 'ten', '1,2', '1000'])(
    'refuses the limit %j',
    (limit) => {
      const expected = `expected limit to be a whole number from 1 to 100; got "${limit}"`;
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
