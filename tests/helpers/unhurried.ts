/** The original `AbortSignal.timeout`, for tests of timeouts. */
export const timeoutInTime = AbortSignal.timeout.bind(AbortSignal);

// Writes time out after some hundred milliseconds. An engine on a busy machine takes longer.
AbortSignal.timeout = (ms) => timeoutInTime(ms * 20);
