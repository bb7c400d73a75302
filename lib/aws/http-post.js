import { text } from 'node:stream/consumers';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
/**
 * Creates a function that posts to a URL over connections that stay open. Connecting, waiting and reading
 * may each take as long as the timeout.
 */
export function createPost({ protocol, hostname, port }, timeoutMs) {
    const handler = new NodeHttpHandler({
        connectionTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        throwOnRequestTimeout: true,
    });
    const target = { protocol, hostname, port: port ? Number(port) : undefined, method: 'POST' };
    return async (headers, body, abortSignal) => {
        const request = new HttpRequest({ ...target, headers, body });
        const { response } = await handler.handle(request, { abortSignal });
        const { statusCode: status, headers: received } = response;
        return { status, headers: received, body: await readText(response.body, timeoutMs) };
    };
}
async function readText(response, timeoutMs) {
    const late = new Error(`expected a response within ${timeoutMs} ms`);
    late.name = 'TimeoutError';
    const timer = setTimeout(() => response.destroy(late), timeoutMs);
    try {
        return await text(response);
    }
    finally {
        clearTimeout(timer);
    }
}
