import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { readTemplate } from '../../local/engines/template.ts';
import { listen } from '../../loopback/http-server.ts';
import { readAccesses } from './dynamodb-access.ts';
import { isAllowed } from './iam.ts';
import { readRoles } from './roles.ts';

/** The functions whose roles the tests run under: `CreateLink` for `CreateLinkRole`. */
export type Guarded = readonly string[];

/**
 * Enforces IAM policies in front of DynamoDB, which local engines don't. Denies every request that none
 * of these functions' packaged roles allows in full. `stop` throws if it denied one. Only one engine's
 * tests use it.
 */
export async function startRoleGuard(endpoint: string, functions: Guarded) {
  if (!inject('underRoles')) return { url: endpoint, stop: async () => {} };
  const all = readRoles(await readTemplate(inject('packageDir')));
  const roles = functions.map((name) => all[name] ?? []);
  const rejected: string[] = [];
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    // It only opens a connection.
    if (body === '') return forward(endpoint, incoming, body, response);
    const [, operation = ''] = `${incoming.headers['x-amz-target']}`.split('.');
    const accesses = readAccesses({ operation, input: JSON.parse(body) });
    const isOneRoles = roles.some((role) => accesses.every((access) => isAllowed(role, access)));
    if (isOneRoles) return forward(endpoint, incoming, body, response);
    rejected.push(
      `expected the role of ${functions.join(' or ')} to allow ${JSON.stringify(accesses)}`,
    );
    reject(response, operation);
  });
  const { url, stop } = await listen(server);
  return {
    url,
    stop: async () => {
      await stop();
      if (rejected.length > 0) throw new Error(rejected.join('\n'));
    },
  };
}

function forward(
  endpoint: string,
  { method, url = '/', headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
) {
  const onward = request(new URL(url, endpoint), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  // If the client aborts, the engine's request is aborted too.
  response.on('close', () => onward.destroy());
  onward.end(body);
}

function reject(response: ServerResponse, action: string) {
  const answer = { __type: 'AccessDeniedException', message: `not authorized: ${action}` };
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(answer));
}
