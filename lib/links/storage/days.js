import { botAttribute, humanAttribute, listBreakdowns, } from '../../clicks/breakdowns.ts';
import { getAtOnce, queryRange } from '../../dynamodb/requests.ts';
import { campaignKey, campaignsEnd, dayKey, linkKey } from '../../keys.ts';
export const dayMs = 24 * 60 * 60 * 1000;
// One transaction reads at most 100 items: the link and its newest days.
const maxDaysAtOnce = 99;
/** Reads a link's days, oldest first. The range is inclusive. */
export async function queryDays(table, code, range = {}) {
    const { from, to } = { ...allDays, ...range };
    return (await queryItems(table, dayKey(code, from), dayKey(code, to))).map(toDay);
}
/** Reads the campaigns of a link's days, and their values. The range is inclusive. */
export function queryCampaigns(table, code, range) {
    const { from, to } = { ...allDays, ...range };
    return queryItems(table, campaignKey(code, from), campaignsEnd(code, to));
}
const allDays = { from: '0000-01-01', to: '9999-12-31' };
async function queryItems(...range) {
    const pages = await Array.fromAsync(queryRange(...range));
    return pages.flat();
}
export function toDay({ SK, count, ...attributes }) {
    const numbers = Object.entries(attributes).filter(([, value]) => typeof value === 'number');
    return { date: SK.slice('STAT#'.length), count, numbers: Object.fromEntries(numbers) };
}
/**
 * Reads a consistent snapshot of a link and its days. Undefined if a commit was in flight, or if
 * days outside the transaction changed meanwhile.
 */
export async function readSnapshot(table, code) {
    const before = await queryDays(table, code);
    const newest = before.slice(-maxDaysAtOnce).map(({ date }) => date);
    const read = await readAtOnce(table, code, newest);
    // Counts only rise. If the sum of the days outside the transaction is the same before and after,
    // they didn't change. The second sum includes days added meanwhile.
    const isOther = ({ date }) => !newest.includes(date);
    const others = before.filter(isOther);
    const after = read && (await queryDays(table, code)).filter(isOther);
    if (!after || sumDays(others) !== sumDays(after))
        return undefined;
    return { link: read.link, days: [...others, ...read.days] };
}
/** Finds the totals of a link that aren't the sum of its days. A purged link doesn't have totals. */
export function findUnevenTotals({ link, days }) {
    if (link?.purgedAt)
        return [];
    if (!link)
        return [{ of: 'clicks', total: null, sum: sumDays(days) }];
    const total = visitorsOf(link);
    const sum = visitorsOf(addUp(days));
    const totals = [
        { of: 'clicks', total: link.clicks ?? 0, sum: sumDays(days) },
        { of: 'people', total: total.people, sum: sum.people },
        { of: 'bots', total: total.bots, sum: sum.bots },
    ];
    return totals.filter(({ total, sum }) => total !== sum);
}
function sumDays(days) {
    return days.reduce((sum, { count }) => sum + count, 0);
}
async function readAtOnce(table, code, dates) {
    const keys = [linkKey(code), ...dates.map((date) => dayKey(code, date))];
    const items = await getAtOnce(table, keys);
    if (!items)
        return undefined;
    const [link, ...days] = items;
    return {
        link: link,
        days: days.flatMap((day) => (day ? [toDay(day)] : [])),
    };
}
/**
 * Days as the statistics show them: the people and bots of each day and in total, and the breakdowns
 * in total. Clicks without a known visitor are neither.
 */
export function summarizeDays(days) {
    const numbers = addUp(days);
    return {
        ...visitorsOf(numbers),
        days: days.map(({ date, count, numbers }) => ({ date, count, ...visitorsOf(numbers) })),
        breakdowns: listBreakdowns(numbers, sumDays(days)),
    };
}
/** One day as the statistics show it, with its own breakdowns. */
export function summarizeDay(day) {
    const { days, ...sums } = summarizeDays([day]);
    return { date: day.date, count: day.count, ...sums };
}
/** The clicks by people and by bots in the item of a day or a link. */
export function visitorsOf(numbers) {
    return { people: numbers[humanAttribute] ?? 0, bots: numbers[botAttribute] ?? 0 };
}
/** The days' numbers in total, by attribute. */
function addUp(days) {
    const sums = {};
    for (const { numbers } of days) {
        for (const [attribute, number] of Object.entries(numbers)) {
            sums[attribute] = (sums[attribute] ?? 0) + number;
        }
    }
    return sums;
}
