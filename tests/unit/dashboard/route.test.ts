import { expect, test } from 'vitest';
import { hashOf, hashOfList, parseRoute } from '../../../dashboard/state/route.ts';

test('an address leads to a link, and an unknown address to all links', () => {
  const link = { view: 'link', code: 'spring-Sale_1' };
  expect(hashOf(link.code)).toBe('#/links/spring-Sale_1');
  expect(parseRoute(hashOf(link.code))).toEqual({ ...link, range: '30d' });
  expect(parseRoute(hashOf(link.code, '7d'))).toEqual({ ...link, range: '7d' });
  expect(parseRoute('#/links/spring-Sale_1?range=toString')).toEqual({ ...link, range: '30d' });
  for (const end of [
    '',
    '#/',
    '#/links',
    ...['/', '/a/b', '/<b>', '/a?b'].map((one) => `#/links${one}`),
  ]) {
    expect(parseRoute(end)).toEqual({ view: 'links' });
  }
});

test('the address of a tag and a search leads to the links that have them', () => {
  for (const tag of ['sale', 'b&c=d', 'ü #?%']) {
    expect(parseRoute(hashOfList(tag))).toEqual({ view: 'links', tag });
  }
  expect(hashOfList()).toBe('#/');
  const query = 'q4  print & http://go.example.com/c123?a=b#c ü';
  expect(parseRoute(hashOfList(undefined, query))).toEqual({ view: 'links', query });
  expect(parseRoute(hashOfList('sale', query))).toEqual({ view: 'links', tag: 'sale', query });
  for (const hash of ['#/?tag=', '#/?tags=a', '#/?%']) {
    expect(parseRoute(hash)).toEqual({ view: 'links' });
  }
});
