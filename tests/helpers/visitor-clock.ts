import { NodeHttpHandler } from '@smithy/node-http-handler';
import { vi } from 'vitest';
import { handleInTime } from './unhurried.ts';

// Each of the resolver's environments loads this file once more.
const key = Symbol.for('click-tally.visitor-clock');
const shared = globalThis as { [key]?: { inFlight: number | undefined; requests: number } };
shared[key] ??= { inFlight: undefined, requests: 0 };
/** The resolver's request in flight, by number. It sends one after another. */
const state = shared[key];

/**
 * Holds the clock of timers, timeouts and dates. It moves only while the resolver waits for a service or
 * for its next attempt, so a visitor's wait is exact on any machine. Pauses are as long as they can be.
 */
export function startVisitorClock(now: number) {
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
    passSeconds: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000),
    stop: () => {
      vi.useRealTimers();
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/** A service lets this time pass, or less if the resolver gives up. */
export async function letResolverWait(ms: number): Promise<void> {
  const own = state.inFlight;
  const endMs = Date.now() + ms;
  setTimeout(() => undefined, ms);
  while (own !== undefined && state.inFlight === own && Date.now() < endMs)
    await vi.advanceTimersToNextTimerAsync();
}

/** Stands in for `createPost`, to know when the resolver waits. */
export function trackRequests<Arguments extends unknown[], Result>(
  post: (...args: Arguments) => Promise<Result>,
): typeof post {
  return async (...args) => {
    state.requests += 1;
    const own = state.requests;
    state.inFlight = own;
    try {
      return await post(...args);
    } finally {
      if (state.inFlight === own) state.inFlight = undefined;
    }
  };
}

/** Stands in for the pause between attempts. */
export async function pause(
  delayMs: number,
  _: unknown,
  { signal }: { signal?: AbortSignal } = {},
) {
  const ms = Math.ceil(delayMs);
  const endMs = Date.now() + ms;
  setTimeout(() => undefined, ms);
  while (Date.now() < endMs) {
    signal?.throwIfAborted();
    await vi.advanceTimersToNextTimerAsync();
  }
  signal?.throwIfAborted();
}
