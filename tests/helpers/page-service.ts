import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import { vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { dayKey, linkKey, ownerDayKey } from '../../lib/keys.ts';
import { startTokenIssuer } from '../../local/stack/token-issuer.ts';
import { listen } from '../../loopback/http-server.ts';
import { linkVariables, stubAwsEnvironment } from './aws-environment.ts';
import { streamRecord } from './connections.ts';
import { findRoute } from './contract.ts';
import type { Handler } from './http-api.ts';
import { campaignItems, type Item, isoDay, sketchItem } from './items.ts';
import { startTable } from './test-table.ts';

const owner = 'ada';
const dayMs = 86_400_000;
const visitor = ['vh', 'dd', 'rd'];
const signInScope = 'openid click-tally/links';

export type PageService = Awaited<ReturnType<typeof startPageService>>;

/**
 * The service's own functions behind a server that can be told to fail, with the local stack's
 * sign-in and a table that {@link PageService.empty} empties.
 */
export async function startPageService() {
  const table = await startTable();
  const page = createServer();
  const socketApi = createServer();
  const { port, stop: stopPage } = await listen(page);
  const { url: socketUrl, stop: stopSocketApi } = await listen(socketApi);
  // The issuer's host is 127.0.0.1, so its cookies aren't the page's.
  const origin = `http://localhost:${port}`;
  const issuer = await startTokenIssuer({ apiPort: port });
  const live = await importLiveFunctions({
    TABLE_NAME: table.tableName,
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    ...linkVariables,
    PUBLIC_ORIGIN: origin,
    LIVE_ENDPOINT: socketUrl,
    LIVE_URL: `${socketUrl.replace('http', 'ws')}/live`,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
    STAGE: 'local',
    JWT_ISSUER: issuer.issuer,
    JWT_AUDIENCE: issuer.audience,
    LOGIN_DOMAIN: issuer.issuer,
    SIGN_IN_SCOPE: signInScope,
  });
  const makeState = () => ({
    backlog: { waiting: 0, deadLetters: 0 },
    /** The status of every response of the API. */
    failWith: undefined as number | undefined,
    /** The requests, such as "GET /links". */
    requests: [] as string[],
  });
  const state = makeState();

  // A test may say what's in the table without waiting. Every request waits.
  let written: Promise<unknown> = Promise.resolve();
  const write = (run: () => Promise<unknown>) => {
    written = written.then(run);
  };
  const readItem = ({ PK, SK }: { PK: string; SK: string }) => table.get(PK, SK);
  const add = async (key: { PK: string; SK: string }, numbers: Record<string, number>) => {
    const item: Item = (await readItem(key)) ?? key;
    const sums = Object.entries(numbers).map(([name, number]) => [
      name,
      number + (item[name] ?? 0),
    ]);
    await table.put({ ...item, ...Object.fromEntries(sums) });
  };
  let added = 0;
  const links = {
    add(code: string, url = `https://example.com/${code}`, ageDays = 0) {
      added += 1;
      const ageMs = 60_000 + ageDays * dayMs;
      const createdAt = new Date(Date.now() - ageMs + added).toISOString();
      write(() => table.put({ ...linkKey(code), url, owner, createdAt, clicks: 0 }));
    },
    /** Stores many items at once. */
    put: (...items: Item[]) => table.put(...items),
    /** Changes a link's attributes. */
    update(code: string, changes: Item) {
      write(async () => table.put({ ...(await readItem(linkKey(code))), ...changes }));
    },
    /** Counts clicks on the day `daysAgo` days ago. */
    count(code: string, clicks: number, attributes: readonly string[], daysAgo = 0) {
      const numbers = Object.fromEntries(attributes.map((name) => [name, clicks]));
      const { vh = 0, vb = 0 } = numbers;
      write(() => add(linkKey(code), { clicks, vh, vb }));
      const date = isoDay(Date.now() - daysAgo * dayMs);
      write(() => add(dayKey(code, date), { count: clicks, ...numbers }));
    },
    /** Stores the visitors with these numbers on the day `daysAgo` days ago. */
    see(code: string, visitors: readonly number[], daysAgo = 0) {
      write(() => table.put(sketchItem(code, isoDay(Date.now() - daysAgo * dayMs), visitors)));
    },
    /** Counts the values of campaigns on the day `daysAgo` days ago, as {@link campaignItems} does. */
    countCampaigns(code: string, counts: Parameters<typeof campaignItems>[2], daysAgo = 0) {
      const items = campaignItems(code, isoDay(Date.now() - daysAgo * dayMs), counts);
      write(() => table.put(...items));
    },
    /** Leaves this number of links until the daily limit. */
    limitTo(left: number) {
      const used = Number(linkVariables.LINKS_PER_DAY) - left;
      write(() => table.put({ ...ownerDayKey(owner, isoDay()), links: used }));
    },
    /** A link as it's stored. */
    async read(code: string) {
      await written;
      return readItem(linkKey(code));
    },
    /** All codes, those of the newest links first. */
    async codes(): Promise<string[]> {
      await written;
      const stored = (await table.scan()).filter(({ SK }) => SK === linkKey('').SK);
      const newest = stored.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      return newest.map(({ PK }) => PK.slice(linkKey('').PK.length));
    },
  };

  const sockets = new Map<string, WebSocket>();
  const upgrades = new WebSocketServer({ noServer: true, handleProtocols: () => 'click-tally' });
  let answered: Promise<unknown> = Promise.resolve();
  const connections = {
    /** Whether connections are rejected. */
    isDown: false,
    /** Whether the functions' messages are lost. */
    isDeaf: false,
    /** The links that are watched, once the service has answered all messages. */
    async watchedCodes(): Promise<string[]> {
      const keys = [...sockets.keys()].map((id) => `CONNECTION#${id}`);
      const items = await Promise.all(keys.map((key) => table.get(key, 'CONNECTION')));
      await answered;
      return items.flatMap((item) => [...(item?.codes ?? [])]);
    },
    disconnect() {
      for (const socket of sockets.values()) socket.terminate();
    },
  };
  const connectionOf = (connectionId: string) => ({
    requestContext: {
      connectionId,
      authorizer: { sub: owner, expiresAt: `${Math.floor(Date.now() / 1_000) + 3_600}` },
    } as never,
  });
  socketApi.on('upgrade', async (request, socket, head) => {
    if (connections.isDown) return socket.destroy();
    const id = randomUUID();
    await live.open(connectionOf(id), makeContext());
    upgrades.handleUpgrade(request, socket, head, (opened) => {
      sockets.set(id, opened);
      opened.on('close', () => sockets.delete(id));
      const answerMessage = async (body: string) => {
        await written;
        await live.watch({ ...connectionOf(id), body }, makeContext());
      };
      opened.on('message', (data) => {
        answered = Promise.all([answered, answerMessage(`${data}`)]);
      });
    });
  });
  socketApi.on('request', async (request, response) => {
    const body = await text(request);
    const id = path.basename(request.url ?? '');
    if (connections.isDeaf) return response.writeHead(500).end();
    sockets.get(id)?.send(body);
    response.writeHead(sockets.has(id) ? 200 : 410).end();
  });

  async function answer(request: IncomingMessage): Promise<APIGatewayProxyStructuredResultV2> {
    const { method = 'GET', headers } = request;
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const call = `${method} ${pathname}`;
    const isApi = /^\/(links|live|api)\b/.test(pathname);
    state.requests.push(call);
    await written;
    if (isApi && !headers.authorization) return reject(401);
    if (isApi && state.failWith) return reject(state.failWith);
    if (call === 'GET /live/backlog') {
      return json({ ...state.backlog, readAt: new Date().toISOString() });
    }
    const { functionName, ...route } = findRoute(call);
    if (functionName === 'resolve-link') return reject(404);
    const { handler }: { handler: Handler } = await import(`../../functions/${functionName}.ts`);
    const parts = {
      ...route,
      rawPath: pathname,
      headers: headers as Record<string, string>,
      body,
      queryStringParameters: Object.fromEntries(searchParams),
    };
    return handler(makeHttpEvent(parts, { caller: owner, method }), makeContext());
  }
  page.on('request', async (request, response) => {
    const { statusCode = 200, headers, body = '', isBase64Encoded } = await answer(request);
    response.writeHead(statusCode, headers as Record<string, string>);
    response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
  });

  return {
    url: `${origin}/`,
    links,
    /** Prepares a sign-in as the page does: the issuer's address, and what the tab stores meanwhile. */
    async requestSignIn(hash: string) {
      const store = new InMemoryWebStorage();
      const client = new OidcClient({
        authority: issuer.issuer,
        client_id: issuer.audience,
        redirect_uri: `${origin}/`,
        scope: signInScope,
        stateStore: new WebStorageStateStore({ store }),
      });
      const { url: address, state } = await client.createSigninRequest({ state: { hash } });
      const key = store.key(0) ?? '';
      return { address, state: state.id, stored: { key, value: store.getItem(key) } };
    },
    live: connections,
    api: state,
    /** Counts clicks in the current hour and pushes them. */
    click(code: string, clicks = 1, attributes = visitor, daysAgo = 0) {
      const at = new Date(Date.now() - daysAgo * dayMs).toISOString();
      const hour = at.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh'.length);
      links.count(code, clicks, [...attributes, `h${hour}`], daysAgo);
      write(async () => {
        const keys = [linkKey(code), dayKey(code, isoDay(Date.parse(at)))];
        const items = await Promise.all(keys.map(readItem));
        await live.push(
          { Records: items.map((item) => streamRecord(item as Item)) },
          makeContext(),
        );
      });
    },
    async empty() {
      await written;
      await table.empty();
      Object.assign(connections, { isDown: false, isDeaf: false });
      Object.assign(state, makeState());
    },
    async stop() {
      await written;
      connections.disconnect();
      await Promise.all([stopPage(), stopSocketApi(), issuer.stop()]);
      await table.stop();
      vi.unstubAllEnvs();
    },
  };
}

/** Gives the functions this environment, and imports those of the WebSocket API and of the stream. */
async function importLiveFunctions(environment: Record<string, string>) {
  stubAwsEnvironment(environment);
  return {
    open: (await import('../../functions/open-connection.ts')).handler,
    watch: (await import('../../functions/watch-links.ts')).handler,
    push: (await import('../../functions/push-counts.ts')).handler,
  };
}

function json(body: object, statusCode = 200): APIGatewayProxyStructuredResultV2 {
  const headers = { 'content-type': 'application/json' };
  return { statusCode, headers, body: JSON.stringify(body) };
}

const reject = (statusCode: number) => json({ message: 'It failed.' }, statusCode);
