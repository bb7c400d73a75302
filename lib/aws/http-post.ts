import type { IncomingMessage } from 'node:http';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Connecting, waiting and reading may each take this long. */
const timeoutMs = 1_000;
/** Several times DynamoDB's largest item, in UTF-16 code units. */
const maxLength = 4_000_000;

export interface PostResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Creates a function that posts to a URL over connections that stay open. */
export function createPost({ protocol, hostname, port }: URL) {
  const handler = new NodeHttpHandler({
    ...{ connectionTimeout: timeoutMs, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
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

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (name: string, expected: string) =>
      response.destroy(Object.assign(new Error(`expected a response ${expected}`), { name }));
    const timer = setTimeout(() => refuse('TimeoutError', `within ${timeoutMs} ms`), timeoutMs);
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      text += part;
      if (text.length > maxLength) refuse('Error', `of at most ${maxLength} characters`);
    });
    response.on('error', reject);
    response.on('end', () => resolve(text));
    response.on('close', () => clearTimeout(timer));
  });
}
