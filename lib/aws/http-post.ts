import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Connecting, waiting and reading may each take this long. */
const timeoutMs = 1_000;

export interface PostResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Creates a function that posts to a URL over connections that stay open. */
export function createPost({ protocol, hostname, port }: URL) {
  const handler = new NodeHttpHandler({
    connectionTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    throwOnRequestTimeout: true,
  });
  const target = { protocol, hostname, port: port ? Number(port) : undefined, method: 'POST' };
  return async (
    headers: Record<string, string>,
    body: string,
    abortSignal?: AbortSignal,
  ): Promise<PostResponse> => {
    const request = new HttpRequest({ ...target, headers, body });
    const { response } = await handler.handle(request, { abortSignal });
    const { statusCode: status, headers: received } = response;
    return { status, headers: received, body: await readText(response.body) };
  };
}

async function readText(response: IncomingMessage): Promise<string> {
  const late = new Error(`expected a response within ${timeoutMs} ms`);
  late.name = 'TimeoutError';
  const timer = setTimeout(() => response.destroy(late), timeoutMs);
  try {
    return await text(response);
  } finally {
    clearTimeout(timer);
  }
}
