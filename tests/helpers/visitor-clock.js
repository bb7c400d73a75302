import { NodeHttpHandler } from '@smithy/node-http-handler';
import { vi } from 'vitest';
// Each of the resolver's environments loads this file once more.
const key = Symbol.for('click-tally.visitor-clock');
const shared = globalThis;
const createState = () => ({
    requests: 0,
    /** The numbers of the resolver's requests without an answer. */
    inFlight: new Set(),
    /** Ends when nothing moves the clock. */
    turn: Promise.resolve(),
});
shared[key] ??= createState();
const state = shared[key];
/** The header with a request's number. */
export const requestNumber = 'x-request-number';
/**
 * Holds the clock of timers, timeouts and dates. It moves only while the resolver waits for a service or
 * for its next attempt, so a visitor's wait is exact on any machine. Pauses are as long as they can be.
 */
export async function startVisitorClock(now) {
    // It changes what the spies replace, each time it's loaded.
    const { handleInTime } = await import('./unhurried.ts');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now });
    const spies = [
        vi.spyOn(NodeHttpHandler.prototype, 'handle').mockImplementation(handleInTime),
        vi.spyOn(Math, 'random').mockReturnValue(0.999),
        vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
            const controller = new AbortController();
            setTimeout(() => controller.abort(), ms);
            return controller.signal;
        }),
    ];
    return {
        passSeconds: (seconds) => vi.advanceTimersByTimeAsync(seconds * 1000),
        stop: () => {
            vi.useRealTimers();
            for (const spy of spies)
                spy.mockRestore();
        },
    };
}
/** A service lets this time pass, or less if the resolver gives up the request with this number. */
export function letResolverWait(request, ms) {
    const endMs = startTimer(ms);
    return moveClockUntil(() => !state.inFlight.has(request) || Date.now() >= endMs);
}
/** Stands in for the pause between attempts. */
export async function pause(delayMs, _, { signal } = {}) {
    const endMs = startTimer(Math.ceil(delayMs));
    await moveClockUntil(() => signal?.aborted || Date.now() >= endMs);
    signal?.throwIfAborted();
}
/** The clock stops at each timer. */
function startTimer(ms) {
    setTimeout(() => undefined, ms);
    return Date.now() + ms;
}
async function moveClockUntil(isOver) {
    const moveOnce = async () => {
        if (!isOver())
            await vi.advanceTimersToNextTimerAsync();
    };
    while (!isOver()) {
        state.turn = state.turn.then(moveOnce);
        await state.turn;
    }
}
/** Stands in for what `createPost` returns, to know when the resolver waits. */
export function trackRequests(post) {
    return async (headers, ...rest) => {
        state.requests += 1;
        const own = `${state.requests}`;
        state.inFlight.add(own);
        try {
            return await post({ ...headers, [requestNumber]: own }, ...rest);
        }
        finally {
            state.inFlight.delete(own);
        }
    };
}
