import { NodeHttpHandler } from '@smithy/node-http-handler';

/** The original `AbortSignal.timeout`, for tests of timeouts. */
export const timeoutInTime = AbortSignal.timeout.bind(AbortSignal);

// Writes time out after some hundred milliseconds, and requests after a second or two. An engine on
// a busy machine takes longer.
AbortSignal.timeout = (ms) => timeoutInTime(ms * 20);

/** The original handler of requests, with the client's own timeout. */
export const handleInTime = NodeHttpHandler.prototype.handle;

NodeHttpHandler.prototype.handle = function unhurried(request, options) {
  return handleInTime.call(this, request, { ...options, requestTimeout: 60_000 });
};
