import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { linkKey } from '../../../lib/keys.ts';
import { keyOf, textOf } from '../dynamodb/item-store.ts';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
/** A person on a computer, one who follows a link on a phone, and a program. */
const visitors = [
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0' },
    { 'user-agent': iphone, referer: 'https://www.google.com/' },
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
];
/** A visitor follows a link. */
export function followLink(world, { visit, code, query, visitor }) {
    const { auditor, plan, resolver, statistics, time } = world;
    const headers = { host: 'go.example.com', 'x-forwarded-proto': 'https' };
    Object.assign(headers, visitors[visitor % visitors.length]);
    const event = makeHttpEvent({ pathParameters: { code }, headers, rawQueryString: query });
    const fromMs = time.nowMs;
    const instance = resolver.invoke(visit, event, (end) => {
        const { statusCode } = Object('answer' in end ? end.answer : {});
        const isRedirected = statusCode === 302;
        statistics.add(isRedirected ? 'redirects' : 'refused visits');
        if (isRedirected)
            auditor.visits.onRedirected(visit);
        if (statusCode === undefined)
            return;
        const answer = { visit, instance, code, fromMs, statusCode };
        auditor.redirects.onAnswer(answer, {
            deletedAtMs: readDeletion(world.items, code),
            isSteady: plan.lives.length === 0,
            isTimed: plan.freezeRate === 0,
        });
    });
}
function readDeletion(items, code) {
    const { PK, SK } = linkKey(code);
    const link = items.get(keyOf({ PK: { S: PK }, SK: { S: SK } }));
    return link?.deletedAt && Date.parse(textOf(link, 'deletedAt'));
}
