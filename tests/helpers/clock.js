import { afterEach, beforeEach, vi } from 'vitest';
/** Holds the clock at this instant, until a test lets it pass seconds, counted from the start. */
export function useClock(start) {
    const startMs = Date.parse(start);
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: startMs }));
    afterEach(() => void vi.useRealTimers());
    return {
        startMs,
        passSeconds: (seconds) => vi.setSystemTime(startMs + seconds * 1000),
    };
}
