import { expect, test } from 'vitest';
import { hashOf, parseRoute } from '../../../dashboard/state/route.ts';

test('an address leads to a link, and an unknown address to all links', () => {
  expect(parseRoute(hashOf('spring-Sale_1'))).toEqual({ view: 'link', code: 'spring-Sale_1' });
  for (const hash of ['', '#/', '#/links', '#/links/', '#/links/a/b', '#/links/<b>']) {
    expect(parseRoute(hash)).toEqual({ view: 'links' });
  }
});
