/** The limits on the codes in a message, and on the links that a connection watches. */
const codesPerMessage = 25;
export const watchedLinks = 100;
// API Gateway closes a connection that is idle for 10 minutes.
const pingEveryMs = 4 * 60000;
const pongWithinMs = 8000;
const gatherMs = 200;
const firstBackoffMs = 500;
const longestBackoffMs = 30000;
/**
 * The delay before the next attempt. Exponential backoff up to half a minute, with jitter between
 * half of it and all of it, so a page's viewers don't reconnect at the same time.
 */
export function backoffMs(attempt, random) {
    const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** attempt);
    return ceiling / 2 + (random * ceiling) / 2;
}
/** Connects once it's started, reconnects, and then watches the same links again. */
export function createSocket(options) {
    let wanted = new Set();
    let watched = new Set();
    let socket;
    let isOpen = false;
    let attempt = 0;
    let pings;
    let pong;
    let reconnection;
    let soon;
    const send = (message) => socket?.send(JSON.stringify(message));
    const request = (action, codes) => {
        for (let first = 0; first < codes.length; first += codesPerMessage) {
            send({ action, codes: codes.slice(first, first + codesPerMessage) });
        }
    };
    const sync = () => {
        if (!isOpen)
            return;
        const added = [...wanted].filter((code) => !watched.has(code));
        const removed = [...watched].filter((code) => !wanted.has(code));
        // Unwatch first, because the number of watched links is limited.
        request('unwatch', removed);
        request('watch', added);
        watched = wanted;
        options.onWatch(watched);
    };
    // Sent even while pushes arrive: only the page's own messages keep the connection alive.
    const ping = () => {
        send({ action: 'ping' });
        clearTimeout(pong);
        pong = setTimeout(() => socket?.close(), pongWithinMs);
    };
    const onOpen = () => {
        isOpen = true;
        attempt = 0;
        watched = new Set();
        pings = setInterval(ping, pingEveryMs);
        options.onOpen(true);
        sync();
    };
    const onClose = () => {
        socket = undefined;
        clearInterval(pings);
        clearTimeout(pong);
        if (isOpen)
            options.onOpen(false);
        isOpen = false;
        reconnection = setTimeout(start, backoffMs(attempt++, Math.random()));
    };
    const onMessage = ({ data }) => {
        const message = parseMessage(data);
        clearTimeout(pong);
        if (message)
            options.onMessage(message);
    };
    function start() {
        clearTimeout(reconnection);
        reconnection = undefined;
        options.open().then((opened) => {
            socket = opened;
            Object.assign(opened, { onopen: onOpen, onclose: onClose, onmessage: onMessage });
        }, () => onClose());
    }
    return {
        start,
        /** Watches the first {@link watchedLinks} of these links instead of others. */
        watch(codes) {
            wanted = new Set([...codes].slice(0, watchedLinks));
            clearTimeout(soon);
            soon = setTimeout(sync, gatherMs);
        },
        /** Connects at once if it's disconnected; otherwise checks whether the connection is alive. */
        wake() {
            if (isOpen)
                ping();
            else if (reconnection)
                start();
        },
    };
}
const types = ['watching', 'counts', 'pong', 'error'];
/** Parses a message from the service. Undefined if it's from a later version. */
function parseMessage(text) {
    try {
        const message = JSON.parse(`${text}`);
        return types.includes(message?.type) ? message : undefined;
    }
    catch {
        return undefined;
    }
}
