import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listen } from '../../local/engines/http-server.ts';

/**
 * Starts an HTTP service with scripted answers that records the JSON bodies of its requests. It
 * stops at the end of the test.
 */
export async function startScriptedService(answer: (response: ServerResponse) => void) {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    answer(response);
  });
  const { url, stop } = await listen(server);
  onTestFinished(stop);
  return { url, bodies };
}

/** An answer with a status and a JSON body. */
export function answerJson(statusCode: number, body: object) {
  return (response: ServerResponse) => {
    response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  };
}
