import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listen } from '../../loopback/http-server.ts';
// A busy machine must not make a client give up on the scripted answers.
import './unhurried.ts';

export type Answer = (response: ServerResponse) => void;

/**
 * Starts an HTTP service that records its requests' JSON bodies. It stops after the test. A request without
 * a body only opens a connection.
 */
export async function startScriptedService(answer: Answer) {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (body === '') {
      response.writeHead(400).end();
      return;
    }
    bodies.push(JSON.parse(body));
    answer(response);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const { url, stop } = await listen(server);
  onTestFinished(stop);
  return { url, bodies, countConnections: () => connections };
}

export function answerJson(statusCode: number, body: object): Answer {
  return (response) => {
    // A test's clock may be at another time, and the client would correct it.
    response.sendDate = false;
    response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  };
}

/** Gives each answer once, in this order. */
export function answerInTurn(...answers: Answer[]): Answer {
  return (response) => answers.shift()?.(response);
}
