import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listen } from '../../cli/loopback/http-server.ts';
// A busy machine must not make a client give up on the scripted answers.
import './unhurried.ts';

export type Answer = (response: ServerResponse) => void;

/** Starts an HTTP service that records its requests' JSON bodies. It stops after the test. */
export async function startScriptedService(answer: Answer) {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    answer(response);
  });
  const { url, stop } = await listen(server);
  onTestFinished(stop);
  return { url, bodies };
}

export function answerJson(statusCode: number, body: object): Answer {
  return (response) => {
    response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  };
}

/** Gives each answer once, in this order. */
export function answerInTurn(...answers: Answer[]): Answer {
  return (response) => answers.shift()?.(response);
}
