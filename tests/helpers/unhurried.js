import { NodeHttpHandler } from '@smithy/node-http-handler';
// Without isolation, this file runs once more for each test file of a worker.
const key = Symbol.for('click-tally.unhurried');
const shared = globalThis;
const readOriginals = () => ({
    timeout: AbortSignal.timeout.bind(AbortSignal),
    handle: NodeHttpHandler.prototype.handle,
});
shared[key] ??= readOriginals();
/** The original `AbortSignal.timeout`, and the original handler of requests, for tests of timeouts. */
export const { timeout: timeoutInTime, handle: handleInTime } = shared[key];
// Writes time out after some hundred milliseconds, and requests after a second or two. An engine on
// a busy machine takes longer.
AbortSignal.timeout = (ms) => timeoutInTime(ms * 20);
NodeHttpHandler.prototype.handle = function unhurried(request, options) {
    return handleInTime.call(this, request, { ...options, requestTimeout: 60000 });
};
