import { computed, effect, signal } from '@preact/signals';
import { isOnline, isVisible } from './browser.ts';
import { counterOf, noCounts, takeCounts } from './counts.ts';
import { createSocket } from './live-socket.ts';
import { createMissedPushes } from './missed-pushes.ts';
const tickMs = 1000;
const patienceMs = 4000;
const reloadWhenBehindMs = 5000;
const reloadWhenLiveMs = 30000;
/** Keeps the numbers on screen up to date by pushes, or by polling when pushes fail. */
export function createLive({ url, token, isExpired }) {
    const pushes = signal('connecting');
    const screen = signal({ reload: async () => undefined, problem: signal(undefined) });
    const state = computed(() => {
        if (!isOnline.value)
            return 'offline';
        if (isExpired())
            return 'expired';
        return screen.value.problem.value?.action === 'retry' ? 'failing' : pushes.value;
    });
    const missed = createMissedPushes(() => Date.now());
    let isOpen = false;
    let closedAt = Date.now();
    const reader = createReader(() => screen.peek().reload());
    const judge = () => {
        if (isOpen)
            return missed.isMissing() ? 'behind' : 'live';
        return Date.now() - closedAt > patienceMs ? 'behind' : pushes.peek();
    };
    const tick = () => {
        pushes.value = judge();
        const now = state.peek();
        if (!isVisible.peek() || now === 'offline')
            return;
        const isBehind = now === 'behind' || now === 'failing';
        const everyMs = isBehind ? reloadWhenBehindMs : reloadWhenLiveMs;
        const restMs = screen.peek().restMs?.() ?? 0;
        const ageMs = Date.now() - reader.readAt;
        if (ageMs > Math.max(reader.isDue ? 0 : everyMs, restMs))
            reader.read();
    };
    const onMessage = (message) => {
        missed.sawMessage();
        if (message.type === 'watching') {
            for (const { code, ...totals } of message.links) {
                missed.sawWatching(code, totals.clicks);
                // If the total rose while it wasn't watched, its days are outdated. The first read may
                // still be pending.
                const isKnown = counterOf(code).peek() !== noCounts;
                if (takeCounts(code, totals) && isKnown)
                    reader.isDue = true;
            }
        }
        if (message.type === 'counts')
            for (const link of message.links)
                takePush(link);
        tick();
    };
    const takePush = ({ code, ...news }) => {
        if (news.clicks !== undefined)
            missed.sawPush(code, news.clicks);
        takeCounts(code, news);
        for (const day of news.days)
            screen.peek().takeDay?.(code, day);
    };
    const onOpen = (opened) => {
        isOpen = opened;
        closedAt = Date.now();
        missed.forget();
        tick();
    };
    const open = async () => new WebSocket(url, ['click-tally', await token()]);
    const socket = createSocket({ open, onMessage, onOpen, onWatch: missed.sawRequest });
    return {
        state,
        start() {
            socket.start();
            setInterval(tick, tickMs);
            let wasAway = false;
            effect(() => {
                const isAway = !isVisible.value || !isOnline.value;
                if (wasAway && !isAway) {
                    socket.wake();
                    reader.isDue = true;
                }
                wasAway = isAway;
            });
        },
        /** Replaces the current view. */
        show(shown, codes) {
            screen.value = shown;
            socket.watch(codes);
        },
        /** Watches the first 100 of the links. */
        watch: socket.watch,
        /** Reports a count that the API returned, so that a missing push is noticed. */
        sawRead: missed.sawRead,
    };
}
/** Reloads the current view, one reload at a time. */
function createReader(reload) {
    let isReading = false;
    const reader = {
        /** When the last reload ended. */
        readAt: Date.now(),
        /** Whether the next reload mustn't wait until it's time. */
        isDue: false,
        async read() {
            if (isReading)
                return;
            isReading = true;
            reader.isDue = false;
            await reload();
            isReading = false;
            reader.readAt = Date.now();
        },
    };
    return reader;
}
