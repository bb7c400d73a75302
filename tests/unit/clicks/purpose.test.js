import { expect, test } from 'vitest';
import { readPurpose } from '../../../lib/clicks/visit.ts';
const fetching = (dest, mode, user) => {
    return { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode, 'sec-fetch-user': user };
};
const requests = {
    speculation: [
        ...['prefetch', 'prefetch;prerender', 'prefetch; anonymous-client-ip', 'prerender'].map((purpose) => ({ 'sec-purpose': purpose })),
        ...[{ purpose: 'Prefetch' }, { 'x-moz': 'prefetch' }],
        { ...fetching('document', 'navigate'), 'sec-purpose': 'prefetch' },
        // The Facebook app.
        { 'x-purpose': 'preview', 'x-fb-http-engine': 'Liger' },
    ],
    preview: [{ 'x-purpose': 'preview' }, { purpose: 'preview' }],
    click: [
        ...[{}, { 'sec-purpose': 'no-prefetch' }, { purpose: 'prefetching' }],
        { purpose: `${' '.repeat(10000)}prefetch` },
        ...[fetching('document', 'navigate'), fetching('document', 'navigate', '?1')],
        ...[fetching('document'), fetching('iframe', 'navigate', '?1')],
        // Chromium's "Save link as", and Node's fetch.
        ...[fetching('empty', 'navigate'), fetching(undefined, 'cors')],
        // No browser sends these.
        ...[fetching(undefined, 'navigate'), fetching('', '')],
        fetching('document, document', 'navigate, navigate'),
        fetching('image'.repeat(2000), 'cors'.repeat(2000)),
    ],
    embed: [
        ...[fetching('iframe', 'navigate'), fetching('frame', 'navigate'), fetching('iframe')],
        ...[fetching('object', 'navigate'), fetching('embed', 'navigate'), fetching('image')],
        ...[fetching('fencedframe', 'navigate', '?0'), fetching('image', 'no-cors')],
        ...[fetching('image', 'cors', '?1'), fetching('video', 'no-cors'), fetching('empty', 'cors')],
        ...[fetching('empty'), fetching('a-new-destination', 'no-cors')],
    ],
};
test.each(Object.entries(requests))('the purpose is %s for each of %j', (purpose, all) => {
    expect(all.filter((headers) => readPurpose(headers) !== purpose)).toEqual([]);
});
