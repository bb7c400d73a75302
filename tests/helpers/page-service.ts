import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { BatchWriteCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { listen } from '../../cli/loopback/http-server.ts';
import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { chunk } from '../../lib/chunk.ts';
import { dayKey, linkKey, ownerDayKey } from '../../lib/keys.ts';
import type { UpdateLinkRequest } from '../../lib/links/link-request.ts';
import { linkVariables, stubAwsEnvironment } from './aws-environment.ts';
import { streamRecord } from './connections.ts';
import { createFakeIssuer } from './fake-issuer.ts';
import { type Item, isoDay } from './items.ts';
import { startTable } from './test-table.ts';

const owner = 'ada';
const dayMs = 86_400_000;
const visitor = ['vh', 'dd', 'rd'];

export type PageService = Awaited<ReturnType<typeof startPageService>>;

/**
 * The service's own functions behind a server that can be told to fail, with a table that
 * {@link PageService.empty} empties and an issuer that signs one owner in.
 */
export async function startPageService() {
  const table = await startTable();
  const [page, other] = [createServer(), createServer()];
  const [{ url: origin, stop: stopPage }, { url: otherUrl, stop: stopOther }] = await Promise.all([
    listen(page),
    listen(other),
  ]);
  const issuer = await createFakeIssuer(() => otherUrl);
  const { http, live, lib } = await importFunctions({
    TABLE_NAME: table.tableName,
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    ...linkVariables,
    PUBLIC_ORIGIN: origin,
    LIVE_ENDPOINT: otherUrl,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
    STAGE: 'local',
    JWT_ISSUER: otherUrl,
    JWT_AUDIENCE: 'page',
    LOGIN_DOMAIN: otherUrl,
    SIGN_IN_SCOPE: 'openid click-tally/links',
    LIVE_URL: `${otherUrl.replace('http', 'ws')}/live`,
  });
  const state = {
    backlog: { waiting: 0, setAside: 0 },
    /** The status of every response of the API. */
    failWith: undefined as number | undefined,
    /** The requests, such as "GET /links". */
    requests: [] as string[],
  };

  // A test may say what's in the table without waiting. Every request waits.
  let written: Promise<unknown> = Promise.resolve();
  let added = 0;
  const write = (run: () => Promise<unknown>) => {
    written = written.then(run);
  };
  const add = (key: object, numbers: Record<string, number>) =>
    lib.table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: key,
        UpdateExpression: `ADD ${Object.keys(numbers).map((name) => `#${name} :${name}`)}`,
        ExpressionAttributeNames: mapKeys(numbers, (name) => [`#${name}`, name]),
        ExpressionAttributeValues: mapKeys(numbers, (name) => [`:${name}`, numbers[name]]),
      }),
    );
  const links = {
    add(code: string, url = `https://example.com/${code}`, ageDays = 0) {
      added += 1;
      const ageMs = 60_000 + ageDays * dayMs;
      const createdAt = new Date(Date.now() - ageMs + added).toISOString();
      write(() => table.put({ ...linkKey(code), url, owner, createdAt, clicks: 0 }));
    },
    update(code: string, update: UpdateLinkRequest, by: 'owner' | 'operator' = 'owner') {
      const { disabled = false } = update;
      write(() =>
        by === 'owner'
          ? lib.updateOwnLink(lib.table, owner, { code, ...update })
          : lib.updateAnyLink(lib.table, { code, disabled }),
      );
    },
    /** Counts clicks on the day `daysAgo` days ago. */
    count(code: string, clicks: number, attributes: readonly string[], daysAgo = 0) {
      const all = Object.fromEntries(attributes.map((name) => [name, clicks]));
      const ofLink = attributes.filter((name) => ['vh', 'vb'].includes(name));
      write(() =>
        add(linkKey(code), { clicks, ...mapKeys(all, (name) => [name, clicks], ofLink) }),
      );
      const date = isoDay(Date.now() - daysAgo * dayMs);
      write(() => add(dayKey(code, date), { count: clicks, ...all }));
    },
    /** Leaves this number of links until the daily limit. */
    limitTo(left: number) {
      const links = Number(linkVariables.LINKS_PER_DAY) - left;
      write(() => table.put({ ...ownerDayKey(owner, isoDay()), links }));
    },
    /** A link as its owner sees it. */
    async describe(code: string) {
      await written;
      const link = await lib.getLink(lib.table, code);
      if (!link) throw new Error(`expected the link ${code} to exist`);
      return lib.describeLink(origin, { ...link, code });
    },
    async codes(): Promise<string[]> {
      await written;
      const all = await lib.listLinks(lib.table, owner, { limit: 1_000, date: isoDay() });
      return (all?.links ?? []).map(({ code }) => code);
    },
    /** A link as push-counts sends it, with one of its days. */
    async toPush(code: string, date = isoDay()) {
      const { clicks, people, bots } = await this.describe(code);
      const days = await lib.queryDays(lib.table, code, { from: date, to: date });
      return { code, clicks, people, bots, days: days.map(lib.summarizeDay) };
    },
  };

  const sockets = new Map<string, WebSocket>();
  const upgrades = new WebSocketServer({ noServer: true, handleProtocols: () => 'click-tally' });
  const connectionOf = (connectionId: string) => ({
    requestContext: {
      connectionId,
      authorizer: { sub: owner, expiresAt: `${Math.floor(Date.now() / 1_000) + 3_600}` },
    } as never,
  });
  other.on('upgrade', async (request, socket, head) => {
    const id = randomUUID();
    await live.open(connectionOf(id), makeContext());
    upgrades.handleUpgrade(request, socket, head, (opened) => {
      sockets.set(id, opened);
      opened.on('close', () => sockets.delete(id));
      opened.on('message', async (data) => {
        await written;
        await live.watch({ ...connectionOf(id), body: `${data}` }, makeContext());
      });
    });
  });
  other.on('request', async (request, response) => {
    const body = await text(request);
    const [, id] = /^\/@connections\/(.+)$/.exec(request.url ?? '') ?? [];
    if (id === undefined) return issuer.handle(request, response, body);
    sockets.get(id)?.send(body);
    response.writeHead(sockets.has(id) ? 200 : 410).end();
  });
  const connections = {
    async watchedCodes(): Promise<string[]> {
      const items = [...sockets.keys()].map((id) => table.get(`CONNECTION#${id}`, 'CONNECTION'));
      return (await Promise.all(items)).flatMap((item) => [...(item?.codes ?? [])]);
    },
    /** Sends a push, without checking it. */
    send(push: object) {
      const message = JSON.stringify({ type: 'counts', links: [push] });
      for (const socket of sockets.values()) socket.send(message);
    },
    disconnect() {
      for (const socket of sockets.values()) socket.terminate();
    },
  };

  async function answer(request: IncomingMessage): Promise<APIGatewayProxyStructuredResultV2> {
    const { method = 'GET', headers } = request;
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const call = `${method} ${pathname}`;
    const isApi = /^\/(links|live)\b/.test(pathname);
    state.requests.push(call);
    await written;
    if (isApi && !headers.authorization) return refuse(401);
    if (isApi && state.failWith) return refuse(state.failWith);
    if (call === 'GET /live/backlog') {
      return json({ ...state.backlog, readAt: new Date().toISOString() });
    }
    for (const [routeKey, handler] of Object.entries(http)) {
      const pattern = routeKey.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
      const match = new RegExp(`^${pattern}$`).exec(call);
      if (!match) continue;
      const parts = {
        ...{ routeKey, rawPath: pathname, headers: headers as Record<string, string>, body },
        pathParameters: { ...match.groups },
        queryStringParameters: Object.fromEntries(searchParams),
      };
      return handler(makeHttpEvent(parts, { caller: owner, method }), makeContext());
    }
    return refuse(404);
  }
  page.on('request', async (request, response) => reply(response, await answer(request)));

  return {
    url: `${origin}/`,
    ...{ links, live: connections, api: state, issuer: issuer.state },
    /** Counts clicks in the current hour and pushes them. */
    click(code: string, clicks = 1, attributes = visitor) {
      const hour = new Date().toISOString().slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh'.length);
      links.count(code, clicks, [...attributes, `h${hour}`]);
      write(async () => {
        const keys = [linkKey(code), dayKey(code, isoDay())];
        const items = await Promise.all(keys.map(({ PK, SK }) => table.get(PK, SK)));
        const Records = items.map((item) => streamRecord(item as Item));
        await live.push({ Records }, makeContext());
      });
    },
    async empty() {
      await written;
      const { Items = [] } = await lib.table.client.send(
        new ScanCommand({ TableName: table.tableName, ProjectionExpression: 'PK, SK' }),
      );
      for (const keys of chunk(Items, 25)) {
        const deletes = keys.map((Key) => ({ DeleteRequest: { Key } }));
        await lib.table.client.send(
          new BatchWriteCommand({ RequestItems: { [table.tableName]: deletes } }),
        );
      }
      Object.assign(issuer.state, { hasSession: true });
      Object.assign(state, { failWith: undefined, requests: [] });
      state.backlog = { waiting: 0, setAside: 0 };
    },
    async stop() {
      connections.disconnect();
      await Promise.all([stopPage(), stopOther()]);
      await table.stop();
      vi.unstubAllEnvs();
    },
  };
}

/** Imports the functions with this environment, and the parts of the service that tests use. */
async function importFunctions(environment: Record<string, string>) {
  stubAwsEnvironment(environment);
  vi.resetModules();
  const handlerOf = async (file: Promise<{ handler: unknown }>) => (await file).handler as Handler;
  const servePage = await handlerOf(import('../../functions/serve-page.ts'));
  const http: Record<string, Handler> = {
    'GET /': servePage,
    'GET /assets/{file}': servePage,
    'GET /links': await handlerOf(import('../../functions/list-links.ts')),
    'POST /links/import': await handlerOf(import('../../functions/import-links.ts')),
    'PATCH /links/{code}': await handlerOf(import('../../functions/update-link.ts')),
    'GET /links/{code}/stats': await handlerOf(import('../../functions/get-link-stats.ts')),
  };
  const live = {
    open: (await import('../../functions/open-connection.ts')).handler,
    watch: (await import('../../functions/watch-links.ts')).handler,
    push: (await import('../../functions/push-counts.ts')).handler,
  };
  const lib = {
    ...(await import('../../lib/dynamodb/table.ts')),
    ...(await import('../../lib/links/links.ts')),
    ...(await import('../../lib/links/link-update.ts')),
    ...(await import('../../lib/links/link-answer.ts')),
    ...(await import('../../lib/links/owned-links.ts')),
    ...(await import('../../lib/links/days.ts')),
    ...(await import('../../lib/links/day-stats.ts')),
  };
  return { http, live, lib };
}

type Handler = (
  event: ReturnType<typeof makeHttpEvent>,
  context: ReturnType<typeof makeContext>,
) => Promise<APIGatewayProxyStructuredResultV2>;

function json(body: object, statusCode = 200): APIGatewayProxyStructuredResultV2 {
  const headers = { 'content-type': 'application/json' };
  return { statusCode, headers, body: JSON.stringify(body) };
}

const refuse = (statusCode: number) => json({ message: 'It failed.' }, statusCode);

function reply(response: ServerResponse, answer: APIGatewayProxyStructuredResultV2): void {
  const { statusCode = 200, headers = {}, body = '', isBase64Encoded = false } = answer;
  response.writeHead(statusCode, headers as Record<string, string>);
  response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
}

function mapKeys<T>(numbers: object, toEntry: (name: string) => [string, T], names?: string[]) {
  return Object.fromEntries((names ?? Object.keys(numbers)).map(toEntry));
}
