/**
 * The clock of a cache with a time limit. While Lambda freezes an environment, its timers and its monotonic
 * clock can stand still, so each lookup reads the wall clock.
 */
export const wallClock = { perf: { now: () => Date.now() }, ttlResolution: 0 };
