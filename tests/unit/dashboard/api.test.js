import { afterEach, expect, test, vi } from 'vitest';
import { createApi } from '../../../dashboard/state/api.ts';
import { explain } from '../../../dashboard/state/problems.ts';
const timeout = new DOMException('The operation timed out.', 'TimeoutError');
const tooSlow = 'The service takes too long to respond.';
const unreachable = "The service can't be reached.";
afterEach(() => vi.unstubAllGlobals());
/** A response whose body breaks off. */
function broken(error) {
    return new Response(new ReadableStream({ start: (body) => body.error(error) }));
}
test.each([
    ['that is late', async () => Promise.reject(timeout), tooSlow],
    ['whose body is late', async () => broken(timeout), tooSlow],
    ['that is lost', async () => Promise.reject(new TypeError('Failed to fetch')), unreachable],
    ['whose body breaks off', async () => broken(new TypeError('network error')), unreachable],
    ['with 503', async () => Response.json({}, { status: 503 }), "Your numbers couldn't be loaded."],
])('a response %s is named as that', async (_, answer, title) => {
    vi.stubGlobal('fetch', answer);
    const api = createApi(async () => 'token', () => undefined);
    const error = await api.listLinks({}).catch((reason) => reason);
    expect(explain(error).title).toBe(title);
});
