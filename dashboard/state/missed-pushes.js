/**
 * The longest delay from an API response to the push of the same number, and from a request to the
 * first message.
 */
const graceMs = 5000;
/** Without another miss, pushes are trusted again after this time. */
const forgiveMs = 30000;
/**
 * Notices that the API has counted more than was pushed, or that a watch isn't answered. Times are
 * in milliseconds.
 */
export function createMissedPushes(now) {
    const links = new Map();
    let missedAt = Number.NEGATIVE_INFINITY;
    let askedAt = Number.POSITIVE_INFINITY;
    let isAnswered = false;
    const deliver = (code, clicks) => {
        const link = links.get(code) ?? { pushed: 0, read: 0, readAt: 0 };
        links.set(code, { ...link, pushed: Math.max(clicks, link.pushed) });
    };
    return {
        /** The service was asked to watch exactly these links. */
        sawRequest(codes) {
            // The others aren't pushed any more.
            for (const code of links.keys())
                if (!codes.has(code))
                    links.delete(code);
            askedAt = !isAnswered && codes.size > 0 ? now() : Number.POSITIVE_INFINITY;
        },
        /** A message arrived over the connection. */
        sawMessage() {
            isAnswered = true;
            askedAt = Number.POSITIVE_INFINITY;
        },
        sawPush(code, clicks) {
            missedAt = Number.NEGATIVE_INFINITY;
            deliver(code, clicks);
        },
        /** The response to a watch isn't a push, but its numbers are no longer missing. */
        sawWatching: deliver,
        sawRead(code, clicks) {
            const link = links.get(code);
            // Nothing is pushed before the link is watched. The oldest push that is missing counts.
            if (!link || clicks <= link.pushed || link.read > link.pushed)
                return;
            links.set(code, { ...link, read: clicks, readAt: now() });
        },
        /** Resets the state for a new connection. */
        forget() {
            isAnswered = false;
            askedAt = Number.POSITIVE_INFINITY;
            links.clear();
        },
        isMissing() {
            for (const [code, { pushed, read, readAt }] of links) {
                if (read <= pushed || now() - readAt < graceMs)
                    continue;
                missedAt = now();
                deliver(code, read);
            }
            return now() - missedAt < forgiveMs || now() - askedAt > graceMs;
        },
    };
}
