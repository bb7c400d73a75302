import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from '../../../lib/http/request.ts';
import {
  listQuerySchema,
  parseLinkUpdate,
  parseNewLink,
  statsQuerySchema,
} from '../../../lib/links/api/link-request.ts';
import { parseCode } from '../../../lib/links/rules/code.ts';
import { useClock } from '../../helpers/clock.ts';

useClock('2026-05-26T10:00:00Z');
const url = 'https://example.com/';
const policy = { serviceHosts: ['go.example.com'], blockedDomains: ['blocked.example'] };
const creation = (body: unknown) => parse(() => parseNewLink(body, policy));
const change = (body: unknown) => parse(() => parseLinkUpdate(body, policy));
const list = (query: Record<string, string>) => parse(() => parseQuery(listQuerySchema, query));
const stats = (query?: Record<string, string>) => parse(() => parseQuery(statsQuerySchema, query));

/** What a request is parsed to, or the status and message of its rejection. */
function parse(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    const { statusCode, message } = error as { statusCode: number; message: string };
    return `${statusCode}: ${message}`;
  }
}

/** One row for each of a list of values. */
const rows = (table: Record<string, unknown[]>) =>
  Object.entries(table).flatMap(([result, given]) => given.map((one) => ({ given: one, result })));

const enterUrl = 'Enter a web address, such as https://example.com/page.';
const changeCode = 'Use 1 to 64 letters, digits, hyphens, underscores, or dots between them.';
const noPublicHost = 'Enter an address on the public internet. This one is private or local.';
const urlOfLength = (length: number) => url.padEnd(length, 'x');
const host253 = `${'a.'.repeat(126)}b.`;

test.each([
  ...['http://example.com', 'https://example.com', 'https://example.com:8443/a"b<c>|d'],
  ...['HTTPS://EXAMPLE.COM/Path?q=1&r=%20#top', 'http://[2606:4700::1111]:8080/'],
  ...['https://1.1.1.1/', 'https://example.com/@user', 'https://example.com?mail=a@example.com'],
  ...['https://example.com#a@b', 'https://example.com/%5C', urlOfLength(2_048)],
  `https://${host253}:65535/`,
])('a URL is stored unchanged: %s', (given) => {
  expect(creation({ url: given })).toEqual({ url: given });
});

const invisible = [
  ' ',
  '\r\n',
  '\u0000',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u202a\u202c',
  '\u2800',
  '\ufeff\n',
];

test.each([
  ...invisible.map((text) => [`${text}https://example.com/a${text}`, 'https://example.com/a']),
  ['https://example.com/a b?c=d e#f  g', 'https://example.com/a%20b?c=d%20e#f%20%20g'],
  ['https://example.com/a\u00a0b', 'https://example.com/a%20b'],
  ['https://example.com/\u2764\ufe0f', 'https://example.com/%E2%9D%A4%EF%B8%8F'],
  ['https://example.com/a\u200bb', 'https://example.com/a%E2%80%8Bb'],
  ['https://bücher.example/ß?q=é#ü', 'https://xn--bcher-kva.example/%C3%9F?q=%C3%A9#%C3%BC'],
  // "é" becomes the 6 characters "%C3%A9". The start has 20.
  [`${url}${'é'.repeat(338)}`, `${url}${'%C3%A9'.repeat(338)}`],
])('a URL is stored without invisible ends, and encoded: %j', (given, stored) => {
  expect(creation({ url: given })).toEqual({ url: stored });
});

const rejectedUrls = {
  [enterUrl]: [
    ...[undefined, null, 7, '', '\u200b', 'example.com', '//example.com', 'https:example.com'],
    ...['ftp://https://example.com', 'javascript:alert(1)', 'data:text/html,hello'],
    ...['javascript://example.com/%0aalert(1)', 'file:///etc/passwd', 'https://[::1/'],
    ...['https://example.com:65536/', 'https://exa mple.com/', 'https://a.xn--:80/'],
  ],
  'Remove the line breaks and control characters from the address.': [
    ...['https://example.com/\r\nset-cookie: a=b', 'java\tscript:alert(1)'],
    ...['https://example.com/\u2028/', 'https://example.com/\ud800'],
  ],
  'Remove the backslash from the address.': [
    ...['https://example.com\\@other.example/', 'https:\\\\example.com/'],
  ],
  'Remove the user name and password from the address.': [
    ...['https://user:password@example.com/', 'https://@example.com/'],
    'https://your-bank.example%2F@other.example#d',
  ],
  [noPublicHost]: ['http://127.0.0.1/'],
  "A link can't lead to this service. Enter another address.": ['https://GO.example.com:8443/a'],
  "This service doesn't allow links to blocked.example. Enter another address.": [
    'https://a.blocked.example/',
  ],
  'Shorten the address: 2,048 characters are the maximum, and special characters count several times.':
    [urlOfLength(2_049), ' '.repeat(2_049), `${url}${'é'.repeat(339)}`],
  'Shorten the domain: 253 characters are the maximum.': [
    ...[`a${host253}:65535`, '语'.repeat(261), '%e8%af%ad'.repeat(30)].flatMap((host) =>
      ['', '/', '?a', '#a'].map((end) => `https://${host}${end}`),
    ),
  ],
};

test.each(rows(rejectedUrls))('a URL is rejected: $result $given', ({ result, given }) => {
  expect(creation({ url: given })).toBe(`400: ${result}`);
  // An update without a URL changes something else.
  if (given !== undefined) expect(change({ url: given })).toBe(`400: ${result}`);
});

const rejectedCodes = {
  [changeCode]: [
    ...['x'.repeat(65), '', 'ab cd', 'abcd\n', 'ab%20cd', 'äbcd', 'T+B', 'a&b', 'a?b', 'a#b'],
    ...['.', '..', '.a', 'a.', 'a..b', 'a.-b', 'аbcd', '٤٤٤٤', null, 12_345, ['abcd']],
  ],
  "A code can't have a slash. Choose another one.": ['ab/cd', '/', '../a'],
  'This code is reserved. Choose another one.': [
    ...['links', 'Links', 'LIVE', 'login', 'robots.txt', 'Favicon.ICO', 'sitemap_index.xml'],
    ...['apple-touch-icon-120x120-precomposed.png', 'app-ads.txt', 'google0a1b2c3d.html'],
    ...['MS12345678.txt', 'pinterest-0a1b2.html', 'naver0a1b.html', 'baidu_verify_a-B1.html'],
    ...[
      'yandex_0a1b.html',
      'MP_verify_aB1.txt',
      'BingSiteAuth.xml',
      '0a1b2c3d4e5f.txt',
      'llms.txt',
    ],
    ...['sw.js', 'assetlinks.json', 'apple-app-site-association', 'loaderio-0a1b', 'google0.htm'],
  ],
};

test.each(rows(rejectedCodes))('a new code may not be $given: $result', ({ result, given }) => {
  expect(creation({ url, code: given })).toBe(`400: ${result}`);
  for (const code of ['a', '-x', 'A-b_9', '_-_-', 'menu.v2.pdf', 'sitemap', 'x'.repeat(64)]) {
    expect(creation({ url, code })).toEqual({ url, code });
  }
});

test.each([
  ['Code', creation, 'use "code"'],
  ['constructor', creation, 'its fields are url, code, expiresAt, '],
  ['target', change, 'use "url"'],
  ['code', change, 'its fields are url, expiresAt, '],
])('a request may not have the field %s', (name, request, remedy) => {
  expect(request({ url, [name]: 'a' })).toContain(`an object without "${name}" (${remedy}`);
});

test('a rejection has a reason for every invalid field', () => {
  const body = { url: 'example.com', code: '.abc', tags: ['a', 'x'.repeat(51)] };
  const tags = 'Shorten the tag: 50 characters are the maximum.';
  const fields = { url: enterUrl, code: changeCode, tags };
  const rejection = { statusCode: 400, message: Object.values(fields).join(' '), fields };

  expect(() => parseNewLink(body, policy)).toThrow(expect.objectContaining(rejection));
});

const jsonObject = '400: expected the body to be a JSON object such as';
const withoutChange = `${jsonObject} {"disabled": true} with a change; got`;

test.each([
  [null, `${jsonObject} {"disabled": true}; got null`],
  [[], `${jsonObject} {"disabled": true}; got []`],
  [{ disabled: false }, { disabled: false }],
  [{ url: 'https://bücher.example/' }, { url: 'https://xn--bcher-kva.example/' }],
  [{ expected: { url } }, `${withoutChange} {"expected":{"url":"https://example.com/"}}`],
  [{ disabled: 'true' }, '400: expected "disabled" to be true or false; got "true"'],
])('the change %j is %j', (body, result) => {
  expect(change(body)).toEqual(result);
});

const expiries = {
  '2026-05-26T10:00:01.000Z': ['2026-05-26T10:00:01Z'],
  '2026-05-26T21:00:00.500Z': ['2026-05-26T23:00:00.5+02:00'],
  '2036-05-26T09:59:59.000Z': ['2036-05-26T09:59:59Z'],
  'Enter a time in the future.': ['2026-05-26T10:00:00Z'],
  'Enter a time within 10 years, or none for a link that never expires.': ['2036-05-26T10:00:00Z'],
  'Enter a time with its time zone, such as 2026-05-26T18:00:00Z.': ['2026-05-27', 1_800_000_000],
};

test.each([...rows(expiries), { given: null, result: null }])(
  'the expiry $given of a new link or a change is $result',
  ({ given, result }) => {
    const rejection = result?.startsWith('Enter') && `400: ${result}`;

    expect(creation({ url, expiresAt: given })).toEqual(rejection || { url, expiresAt: result });
    expect(change({ expiresAt: given })).toEqual(rejection || { expiresAt: result });
  },
);

const longTitle = 'Shorten the title: 200 characters are the maximum.';

test.each<[unknown, string | null]>([
  ['x'.repeat(200), 'x'.repeat(200)],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  [' \u200b\u2800Spring\r\n\t \u0000 sale\u2029\u00a0', 'Spring sale'],
  ['\u202egpj.exe\u2066\u200f\u061c', 'gpj.exe'],
  ['Cafe\u0301', 'Café'],
  [' \u202e', null],
  [null, null],
  // Two characters in NFC.
  ['\u0958'.repeat(101), `400: ${longTitle}`],
  [7, '400: expected "title" to be a text or null; got 7'],
])('the title %j of a new link, a change or an expectation is %j', (title, result) => {
  const isRejected = result?.startsWith('400');

  expect(creation({ url, title })).toEqual(isRejected ? result : { url, title: result });
  expect(change({ title, expected: { title } })).toEqual(
    isRejected ? expect.stringMatching(/^400: /) : { title: result, expected: { title: result } },
  );
});

const ten = Array.from({ length: 10 }, (_, index) => `tag ${index}`);
const noTags = 'to be a list of texts or null; got';

test.each<[unknown, string | string[] | null]>([
  [[' Spring \u202e Sale\u0000', 'spring sale', 'SPRING SALE', ''], ['spring sale']],
  [[...ten].reverse(), [...ten].reverse()],
  [['', '\u200b'], null],
  [null, null],
  [[...ten, 'one more'], '400: Remove some tags: 10 are the maximum.'],
  [['İ'.repeat(26)], '400: Shorten the tag: 50 characters are the maximum.'],
  [['a|b'], '400: Remove the comma, semicolon or | from the tag.'],
  ['sale', `400: expected "tags" ${noTags} "sale"`],
  [[7], `400: expected "tags.0" ${noTags} 7`],
])('the tags %j of a new link or a change are %j', (tags, result) => {
  const isRejected = typeof result === 'string';

  expect(creation({ url, tags })).toEqual(isRejected ? result : { url, tags: result });
  expect(change({ tags })).toEqual(isRejected ? result : { tags: result });
});

test('a title and tags that were stored are accepted unchanged', () => {
  const unit = fc.constantFrom(...'aÉİß ̈\u0958\u1e9e\ufb03\u202e\u200d\ufeff\ud800\u3000');
  const text = fc.string({ unit, maxLength: 50 });

  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 10 }), (title, tags) => {
      const stored = creation({ url, title, tags });

      if (typeof stored === 'object') expect(creation(stored)).toEqual(stored);
    }),
  );
});

const reversed = '400: expected "from" to be a date on or before "to"; got "2026-05-27"';
const wholeNumber = '400: expected "limit" to be a whole number from 1 to 1000; got';
const date = '400: expected "to" to be a date such as 2026-05-26; got';

test.each([
  [list({}), { limit: 25 }],
  [list({ limit: '1000', cursor: 'YWJjZA' }), { limit: 1_000, cursor: 'YWJjZA' }],
  [list({ format: 'xml' }), '400: expected "format" to be json or csv; got "xml"'],
  ...['0', '1001', '-1', '1.5', '1e1', ' 1', ''].map((limit) => [
    list({ limit }),
    `${wholeNumber} "${limit}"`,
  ]),
  [stats(undefined), {}],
  [stats({ format: 'csv', to: '2024-02-29' }), { format: 'csv', to: '2024-02-29' }],
  [stats({ from: '2026-05-26', to: '2026-05-26' }), { from: '2026-05-26', to: '2026-05-26' }],
  [stats({ from: '2026-05-27', to: '2026-05-26' }), reversed],
  ...['', '2026-02-30', '2026-5-26', '2026-05-26T00:00:00Z', '٢٠٢٦-٠٥-٢٦'].map((to) => [
    stats({ to }),
    `${date} "${to}"`,
  ]),
])('a query is parsed to %j', (parsed, expected) => {
  expect(parsed).toEqual(expected);
});

test.each([
  ...['page', 'Cursor', 'after', 'offset', 'pageToken'].map((name) => [name, list, 'use "cursor"']),
  ...['per_page', 'pageSize', 'Limit', 'count'].map((name) => [name, list, 'use "limit"']),
  ['status', list, 'use "deleted"'],
  ['sort', list, 'its parameters are format, limit, cursor, deleted'],
  ...['start', 'startDate', 'since', 'FROM'].map((name) => [name, stats, 'use "from"']),
  ...['end_at', 'until'].map((name) => [name, stats, 'use "to"']),
  ...['timezone', '__proto__', 'constructor', ''].map((name) => [
    name,
    stats,
    'its parameters are format, from, to',
  ]),
] as [string, typeof list, string][])('a query may not have "%s"', (name, request, remedy) => {
  expect(request(Object.fromEntries([[name, '2']]))).toBe(
    `400: expected the query to be one without "${name}" (${remedy}); got {"${name}":"2"}`,
  );
});

test.each(['Ab-_', 'login', '.abc', 'x'.repeat(65), 'a/b', undefined])(
  'a path is a code if a link could ever have had it: %s',
  (code) => {
    const isCode = ['Ab-_', 'login'].includes(`${code}`);
    const unknown = `404: There is no link with the code "${code ?? ''}".`;

    expect(parse(() => parseCode(code))).toBe(isCode ? code : unknown);
  },
);
