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
test("a tag's address leads to the links that have it", () => {
    for (const tag of ['sale', 'b&c=d', 'ü #?%']) {
        expect(parseRoute(hashOfList(tag))).toEqual({ view: 'links', tag });
    }
    expect(hashOfList()).toBe('#/');
    for (const hash of ['#/?tag=', '#/?tags=a', '#/?%']) {
        expect(parseRoute(hash)).toEqual({ view: 'links' });
    }
});
