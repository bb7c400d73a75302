import { expect, test } from 'vitest';
import { hashOf, parseRoute } from '../../../dashboard/state/route.ts';

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
