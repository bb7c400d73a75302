/** `AbortSignal.timeout` as it is, for tests about what takes too long. */
export const timeoutInTime = AbortSignal.timeout.bind(AbortSignal);

// The functions give up on a write after some hundred milliseconds. On a busy machine, an engine takes
// longer.
AbortSignal.timeout = (ms) => timeoutInTime(ms * 20);
