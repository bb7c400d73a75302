import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeQuery, forwardQuery } from '../../../lib/redirect/forward-query.ts';

const e = 'https://example.com';
const long = 'x'.repeat(7_970);

test.each([
  ['a query is appended', `${e}/p`, 'a=1&b', `${e}/p?a=1&b`],
  ['an empty one changes nothing', `${e}/p?x=1#f`, '', `${e}/p?x=1#f`],
  [
    'it follows the own one, which stays as it is',
    `${e}/?b=%7e+~&a[]=%&&c=ü'`,
    'd',
    `${e}/?b=%7e+~&a[]=%&&c=ü'&d`,
  ],
  ['and an empty one', `${e}/?`, 'b', `${e}/?b`],
  ['a fragment stays last', `${e}/#!/a?b#c`, 'd=1', `${e}/?d=1#!/a?b#c`],
  ['the own parameter wins', `${e}/?a=1`, 'a=2&b=4', `${e}/?a=1&b=4`],
  ['each own parameter wins', `${e}/?a=1&c=1`, 'c=2&b=4', `${e}/?a=1&c=1&b=4`],
  ['however it is spelled', `${e}/?a%20b`, '%61+b=2&a%20b=3', `${e}/?a%20b`],
  ['broken percent signs stay', `${e}/?%=1`, '%E2%8=a%&%zz', `${e}/?%=1&%E2%8=a%&%zz`],
  ['it does not become a part of the host', e, '@evil.example/', `${e}/?@evil.example/`],
  [
    'or of the fragment or header',
    `${e}/`,
    'a#b\r\nc: "é\ud800\\',
    `${e}/?a%23b%0D%0Ac:%20%22%C3%A9%EF%BF%BD%5C`,
  ],
  ['8,000 characters are followed', `${e}/`, `${long}xxxxxxxxx`, `${e}/?${long}xxxxxxxxx`],
  ['more are not', `${e}/`, `${long}xxxxxxxxxx`, `${e}/`],
])('%s', (_, url, query, location) => {
  expect(forwardQuery(url, query)).toBe(location);
});

const sameNames = {
  amount: [
    ...['Amount', '+amount', 'amount%20', 'amount%00x', '\u{ff41}mount', 'x;amount', '_amount'],
    ...['amount[]', 'amount[a]', '[amount]', 'amount.a', '%61mount', 'amount%5B'],
  ],
  a_b: ['a.b', 'a+b', 'a%20b', 'A_B[]'],
  'a.b': ['a_b', 'a', 'a[b]'],
};

test('a server that reads names in its own way does not find a value of the visitor under a name of the owner', () => {
  for (const [own, names] of Object.entries(sameNames)) {
    const url = `${e}/?${own}=1`;
    for (const name of names) expect(forwardQuery(url, `${name}=2`), name).toBe(url);
  }
  const other = 'amounts=2&my-amount=3&x=amount';
  expect(forwardQuery(`${e}/?amount=1`, other)).toBe(`${e}/?amount=1&${other}`);
});

test("a visitor's query changes neither origin, path nor fragment, nor the own parameters", () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      text,
      (url, query) => {
        const location = forwardQuery(url, query);

        const own = new URL(url);
        const forwarded = new URL(location);
        for (const part of ['origin', 'pathname', 'hash'] as const)
          expect(forwarded[part]).toBe(own[part]);
        for (const [name] of own.searchParams)
          expect(forwarded.searchParams.getAll(name)).toEqual(own.searchParams.getAll(name));
      },
    ),
  );
});

test.each([
  ['spring', 'a=%3F&b', 'a=%3F&b'],
  ['spring&a=b', '', 'a=b'],
  ['spring&amp;a=b', '', 'a=b'],
  ['spring?a=b&c', 'd', 'a=b&c&d'],
  ['spring%3Fa=b%26c', '', 'a=b&c'],
  ['spring/?a=%2520', '', 'a=%2520'],
  ['spring&nbsp;and more', '', ''],
])('the visitor’s query of the path %j and the query %j is %j', (path, raw, query) => {
  expect(completeQuery(path, raw)).toBe(query);
});
