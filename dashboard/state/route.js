import { ranges } from '../days.ts';
const usualRange = '30d';
/** Parses a fragment. Unknown ones show the list of links. */
export function parseRoute(hash) {
    const [, code, range = usualRange] = /^#\/links\/([\w.-]+)(?:\?range=(\w+))?$/.exec(hash) ?? [];
    const tag = hash.startsWith('#/?') && new URLSearchParams(hash.slice(2)).get('tag');
    if (!code)
        return { view: 'links', ...(tag && { tag }) };
    return {
        view: 'link',
        code,
        range: Object.hasOwn(ranges, range) ? range : usualRange,
    };
}
export function hashOf(code, range = usualRange) {
    return `#/links/${code}${range === usualRange ? '' : `?range=${range}`}`;
}
/** The list of links or, with a tag, of those that have it. */
export function hashOfList(tag) {
    return tag === undefined ? '#/' : `#/?${new URLSearchParams({ tag })}`;
}
