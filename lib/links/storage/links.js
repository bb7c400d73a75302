import { listCampaigns } from '../../clicks/campaign-counters.ts';
import { batchGetItems, getItem } from '../../dynamodb/requests.ts';
import { linkKey } from '../../keys.ts';
import { queryCampaigns, queryDays } from './days.ts';
export function isPurged(stored) {
    return 'purgedAt' in stored;
}
/**
 * Reads a link and its days within an inclusive range. Undefined if the link doesn't exist or this
 * user may not read it. Without a user, it reads any link. The link is read first, so another
 * user's link costs one read, like an unknown one.
 */
export async function readLinkStats(table, code, { user, ...range } = {}) {
    const link = await getLink(table, code);
    if (!link || (user !== undefined && !isReadableBy(user, link)))
        return undefined;
    const [days, campaignItems] = await Promise.all([
        queryDays(table, code, range),
        queryCampaigns(table, code, range),
    ]);
    const campaigns = campaignItems.length > 0 && { campaigns: listCampaigns(campaignItems) };
    return { link, days, campaignItems, ...campaigns };
}
/** Whether this user may read the link. Everyone may read a link without an owner. */
export function isReadableBy(user, { owner = user }) {
    return owner === user;
}
/**
 * Reads a link's own item consistently, so it sees every earlier write. Undefined if the link
 * doesn't exist.
 */
export async function getLink(table, code) {
    const stored = await getStoredLink(table, code);
    return stored && !isPurged(stored) ? stored : undefined;
}
/** Reads a link as {@link getLink} does, or what remains of it. */
export function getStoredLink(table, code) {
    return getItem(table, linkKey(code));
}
/**
 * Reads up to 100 links consistently, by their distinct codes. Missing links are left out. Throws
 * if DynamoDB doesn't return all of them within five reads.
 */
export async function getLinks(table, codes) {
    const stored = await getStoredLinks(table, codes);
    return new Map([...stored].flatMap(([code, one]) => (isPurged(one) ? [] : [[code, one]])));
}
/** Reads links as {@link getLinks} does, and what remains of purged ones. */
export async function getStoredLinks(table, codes) {
    const items = await batchGetItems(table, codes.map(linkKey));
    return new Map(items.map((item) => [item.PK.slice(linkKey('').PK.length), item]));
}
