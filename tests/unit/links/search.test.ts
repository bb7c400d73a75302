import { describe, expect, test } from 'vitest';
import { toWantedLink } from '../../../dashboard/state/wanted-link.ts';
import type { LinkAnswer } from '../../../lib/links/api/answer-schemas.ts';
import { searchLinks } from '../../../lib/links/rules/search.ts';

const nowMs = Date.parse('2026-05-26T12:00:00Z');

function link(code: string, more: Partial<LinkAnswer> = {}): LinkAnswer {
  return {
    code,
    shortUrl: `https://go.example.com/${code}`,
    url: `https://shop.example/to-${code}`,
    createdAt: '2026-05-20T00:00:00.000Z',
    clicks: 0,
    people: 0,
    bots: 0,
    disabled: false,
    ...more,
  };
}

const links = [
  link('c12', { url: 'https://shop.example/about', title: 'Print, Q4' }),
  link('c123', { title: 'Städtisches Museum', tags: ['q4', 'print'] }),
  link('C123', { note: 'Straße, Łódź, smørrebrød' }),
  link('coffee', { url: 'https://shop.example/caf%C3%A9?size=1' }),
  link('gone', { disabled: true, disabledBy: 'owner' }),
  link('down', { disabled: true, disabledBy: 'operator' }),
  link('past', { expiresAt: '2026-05-26T11:59:59.000Z' }),
  link('soon', { expiresAt: '2026-05-26T12:00:01.000Z', note: 'was never disabled' }),
];

const codesOf = (query: string) => searchLinks(links, query, nowMs).map(({ code }) => code);

describe('a search', () => {
  test.each([
    ['http://go.example.com/c123', ['c123', 'C123']],
    ['https://go.example.com/c12', ['c12']],
    ['go.example.com/c12/', ['c12']],
    ['https://go.example.com/c12?utm_source=a&b=c', ['c12']],
    ['HTTPS://GO.EXAMPLE.COM/c12#top', ['c12']],
    ['<https://go.example.com/c12>.', ['c12']],
  ])('for the pasted short link %s finds that link', (query, codes) => {
    expect(codesOf(query)).toEqual(codes);
  });

  test('for a short link on a domain that the service no longer has finds its code', () => {
    expect(codesOf('https://old.example/soon')).toEqual(['soon']);
  });

  test('for a pasted destination finds the links that lead there, not those with its last part as their code', () => {
    expect(codesOf('https://shop.example/to-gone')).toEqual(['gone']);
    expect(codesOf('shop.example/about')).toEqual(['c12']);
  });

  test.each([
    ['q4 print', ['c12', 'c123']],
    ['PRINT  q4', ['c12', 'c123']],
    ['q4 museum', ['c123']],
    ['q4 nothing', []],
  ])('for the words %s finds links that have all of them, in any order', (query, codes) => {
    expect(codesOf(query)).toEqual(codes);
  });

  test.each([
    ['stadtisches', ['c123']],
    ['STÄDTISCHES', ['c123']],
    ['sta\u0308dtisches', ['c123']],
    ['strasse lodz', ['C123']],
    ['smorrebrød', ['C123']],
    ['cafe', ['coffee']],
    ['/café?size', ['coffee']],
    ['caf%C3%A9', ['coffee']],
  ])('for %s ignores case and accents, in addresses too', (query, codes) => {
    expect(codesOf(query)).toEqual(codes);
  });

  test.each([
    ['disabled', ['gone', 'down', 'soon']],
    ['taken down', ['down']],
    ['expired', ['past']],
    ['expires', ['soon']],
    ['active c12', ['c12', 'c123', 'C123']],
    ['disabled to-gone', ['gone']],
    ['expir', []],
  ])('for %s finds links in that state, or with that word', (query, codes) => {
    expect(codesOf(query)).toEqual(codes);
  });

  test.each(['', '   ', '\n'])('for %j finds all links', (query) => {
    expect(codesOf(query)).toHaveLength(links.length);
  });

  test.each(['/', '//', 'https://', '?', '%', '.*', '\\', '\ud800', '𝕢'.repeat(100_000)])(
    'for %.10j does not fail',
    (query) => {
      expect(codesOf(query)).toEqual(expect.any(Array));
    },
  );
});

test.each([
  ['winter', { code: 'winter' }],
  [' winter. ', { code: 'winter' }],
  ['https://go.example.com/winter?utm_source=a', { code: 'winter' }],
  ['go.example.com/winter', { code: 'winter' }],
  ['https://go.example.com/', undefined],
  ['shop.example/sale', { url: 'https://shop.example/sale' }],
  ['http://shop.example/sale', { url: 'http://shop.example/sale' }],
  ['javascript:alert(1)', undefined],
  ['winter sale', undefined],
  ['w'.repeat(65), undefined],
  ['', undefined],
])('a search for "%s" without a result may create %j', (query, wanted) => {
  expect(toWantedLink(query, 'https://go.example.com/docs')).toEqual(wanted);
});
