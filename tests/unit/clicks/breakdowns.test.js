import { expect, test } from 'vitest';
import { breakdowns, chooseAttributes, classifyVisit, } from '../../../lib/clicks/breakdowns.ts';
import { readClick } from '../../../lib/clicks/click.ts';
import { largestDay } from '../../helpers/items.ts';
const ten = new Date('2026-05-26T10:59:59.999Z');
const visit = {
    headers: {},
    campaign: {},
    isBot: false,
    platform: 'mobile',
    network: 'other',
    referrer: 'direct',
};
const attributesOf = ({ attributes }) => Object.values(attributes);
const choose = (breakdown, value, instant = ten) => chooseAttributes({ [breakdown.name]: value }, instant)[breakdowns.indexOf(breakdown)];
test.each(breakdowns.filter((breakdown) => 'classify' in breakdown))('the breakdown $name counts each value, none as unknown, and any other as other', (breakdown) => {
    const { name, attributes } = breakdown;
    const values = Object.entries(attributes);
    const withPrototype = JSON.parse('{"__proto__": {"bot": 1}}');
    const others = ['no such value', '', 'constructor', 7, [values[0]?.[0]], withPrototype];
    expect(values.map(([value]) => choose(breakdown, value))).toEqual(attributesOf(breakdown));
    for (const value of [undefined, null]) {
        expect(choose(breakdown, value)).toBe(attributes.unknown);
    }
    for (const value of others)
        expect(choose(breakdown, value)).toBe(attributes.other);
    expect(Object.keys(attributes)).toContain(classifyVisit(visit)[name]);
});
test("clicks are counted by their UTC hour, whatever the producer's value", () => {
    const hour = breakdowns.find((breakdown) => !('classify' in breakdown)) ?? expect.fail();
    const times = Array.from({ length: 24 }, (_, of) => new Date(Date.UTC(2026, 4, 26, of)));
    const at = '2026-05-26T00:30:00+02:00';
    const chosen = times.map((time) => choose(hour, 99, time));
    expect(chosen).toEqual(attributesOf(hour).toSorted());
    const click = readClick({ id: 'a', detail: { code: 'spring', at, hour: '00' } });
    expect(click.breakdowns).toContain('h22');
});
test('breakdowns come in the order of their generations, and no two values share an attribute', () => {
    const generations = breakdowns.map(({ generation }) => generation);
    const attributes = [...breakdowns.flatMap(attributesOf), ...['PK', 'SK', 'count', 'ttl', 'utm']];
    expect(generations).toEqual(generations.toSorted());
    expect(attributes).toHaveLength(new Set(attributes).size);
});
test.each([
    ['US', ['US']],
    ['DE', ['DE']],
    ['other', ['LI', 'de', 'DEU', 'XX', 'T1', '', 'DE,US', 'constructor']],
    ['unknown', [undefined]],
])('the country is %s for each header of %j', (country, headers) => {
    for (const header of headers) {
        const from = { ...visit, headers: { 'cloudfront-viewer-country': header } };
        expect(classifyVisit(from)).toMatchObject({ country });
    }
});
test('a day item with every value, at the highest counts that prod reaches, stays under 1 KB', () => {
    const { item, bytes } = largestDay();
    const attributes = breakdowns.flatMap(attributesOf);
    expect(Object.keys(item).toSorted()).toEqual(['PK', 'SK', 'count', 'utm', ...attributes].toSorted());
    expect(bytes).toBeLessThan(1024);
});
