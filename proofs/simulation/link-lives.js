import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { keyOf, textOf } from './dynamodb/item-store.ts';
/** When producers send clicks of a deleted link: clicks of a minute after the deletion still count. */
const burstsAfterMs = [1000, 70000, 200000];
const maxTries = 6;
const url = 'https://example.com';
const [create, edit] = ['POST /links', 'PATCH /links/{code}'];
const [remove, restore] = ['DELETE /links/{code}', 'POST /links/{code}/restore'];
/**
 * A link's owner edits and deletes it, and later restores it, or creates another one with its code after
 * a purge. Each request is repeated until it succeeds, or fails for good.
 */
export function live(links, code, { next, nextAfterMs }) {
    const { time, sendClicks } = links;
    const request = (route, body, onDone) => send(links, 'owner', toEvent(route, code, body), `${route} of ${code}`, onDone);
    const later = (action) => void time.after(nextAfterMs, action);
    const renew = () => {
        // The purge's clock is 90 days ahead. No instance remembers what it knew of the link as long.
        links.aggregator.retireInstances();
        request(create, { url, code }, () => sendClicks(code));
    };
    request(edit, { url: `${url}/edited` });
    request(remove, {}, () => {
        for (const afterMs of burstsAfterMs)
            time.after(afterMs, () => sendClicks(code));
        if (next === 'restore')
            later(() => request(restore, {}, () => sendClicks(code)));
        if (next === 'renew')
            later(() => purge(links, renew));
    });
}
/** Runs purge-links twice at once. */
function purge(links, onDone) {
    send(links, 'purger', {}, 'purge', onDone);
    links.time.after(500, () => send(links, 'purger', {}, 'another purge'));
}
/** Purges the links that are still deleted. Nothing of them may remain. */
export async function purgeAll(world) {
    const { items, time, auditor } = world;
    let isDone = false;
    send(world, 'purger', {}, 'last purge', () => {
        isDone = true;
    });
    await time.runUntil(() => isDone);
    for (const item of items.scan()) {
        if (item.deletedAt || textOf(item, 'PK') === 'DELETED')
            auditor.onUnpurged(keyOf(item));
    }
}
/** Invokes a function until it succeeds, or says that it can't. */
function send(links, role, event, name, onDone = () => { }, triesLeft = maxTries) {
    const { statistics, time, trace } = links;
    trace.note(() => `${role}: ${name}`);
    links[role].invoke(name, event, (end) => {
        const { statusCode = 200 } = Object('answer' in end ? end.answer : { statusCode: 500 });
        statistics.add(`${name.replace(/ of .*/, '')} | ${statusCode}`);
        if (statusCode < 500)
            onDone();
        else if (triesLeft > 1) {
            time.after(1000, () => send(links, role, event, name, onDone, triesLeft - 1));
        }
    });
}
function toEvent(routeKey, code, body) {
    const [method = ''] = routeKey.split(' ');
    const parts = { routeKey, pathParameters: { code }, body: JSON.stringify(body) };
    return makeHttpEvent(parts, { method });
}
