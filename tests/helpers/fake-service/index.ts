import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { vi } from 'vitest';
import { listen } from '../../../cli/loopback/http-server.ts';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { createFakeApi } from './fake-api.ts';
import { createFakeIssuer } from './fake-issuer.ts';
import { type Attributes, createFakeLinks } from './fake-links.ts';
import { createFakeLive } from './fake-live.ts';

const visitor: Attributes = ['vh', 'dd', 'rd'];

/** The real serve-page, and a fake issuer, API and WebSocket API that a test can make fail. */
export async function startFakeService() {
  const page = createServer();
  const other = createServer();
  const { url: origin, stop: stopPage } = await listen(page);
  const { url: issuerUrl, stop: stopOther } = await listen(other);

  const links = createFakeLinks(() => origin);
  const issuer = await createFakeIssuer(() => issuerUrl);
  const live = createFakeLive(other, links);
  /** Counts clicks in the current hour and pushes them. */
  const click = (code: string, clicks = 1, attributes = visitor) => {
    links.count(code, clicks, [...attributes, hourAttribute()]);
    live.send(links.toPush(code));
  };
  const api = createFakeApi(links);
  const serve = await importServePage({
    STAGE: 'local',
    JWT_ISSUER: issuerUrl,
    JWT_AUDIENCE: 'page',
    LOGIN_DOMAIN: issuerUrl,
    SIGN_IN_SCOPE: 'openid click-tally/links',
    LIVE_URL: `${issuerUrl.replace('http', 'ws')}/live`,
  });

  page.on('request', async (request, response) => {
    const body = await text(request);
    const { method = 'GET', headers } = request;
    const { pathname, searchParams: query } = new URL(request.url ?? '/', origin);
    const [, file] = /^\/assets\/(.+)$/.exec(pathname) ?? [];
    if (pathname === '/' || file) {
      return reply(response, await serve(headers as Record<string, string>, file));
    }
    const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    const answer = api.answer({ method, path: pathname, query, body, token });
    reply(response, {
      statusCode: answer.statusCode,
      headers: { 'content-type': 'application/json', ...answer.headers },
      body: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body),
    });
  });
  other.on('request', async (request, response) => {
    await issuer.handle(request, response, await text(request));
  });

  return {
    url: `${origin}/`,
    ...{ links, live, click },
    api: api.state,
    issuer: issuer.state,
    async stop() {
      live.stop();
      await Promise.all([stopPage(), stopOther()]);
    },
  };
}

export type FakeService = Awaited<ReturnType<typeof startFakeService>>;

/** The attribute of the current hour. */
function hourAttribute(): string {
  return `h${new Date().toISOString().slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh'.length)}`;
}

/** Loads the function with a stage's environment. */
async function importServePage(environment: Record<string, string>) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.resetModules();
  const { handler } = await import('../../../functions/serve-page.ts');
  vi.unstubAllEnvs();
  return (headers: Record<string, string>, file?: string) => {
    const pathParameters = file === undefined ? undefined : { file };
    const event = makeHttpEvent({ headers, pathParameters });
    return handler(event, { functionName: 'serve-page', awsRequestId: 'request-1' } as Context);
  };
}

function reply(response: ServerResponse, answer: APIGatewayProxyStructuredResultV2): void {
  const { statusCode = 200, headers = {}, body = '', isBase64Encoded = false } = answer;
  response.writeHead(statusCode, headers as Record<string, string>);
  response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
}
