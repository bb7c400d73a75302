import { assets } from 'virtual:dashboard';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';
import { eventSchema } from '../../lib/clicks/click.ts';
import { newLinkSchema } from '../../lib/links/link-request.ts';
import { clientMessageSchema } from '../../lib/live/client-messages.ts';
import { routes } from '../../local/openapi/routes.ts';
import { streamRecord } from '../helpers/connections.ts';
import { dayOf, link } from '../helpers/items.ts';
import { checkExample, fillExample } from './places.ts';
import { listBodies, listJson, listTexts } from './texts.ts';

/** Slightly less than the limits of AWS and of the service. */
const headerBytes = 10_000;
const pathBytes = 8_000;
const bodyBytes = 6_000_000;
const takenBodyBytes = 60_000;
const messageBytes = 1_000_000;
const frameBytes = 128_000;
const takenFrameBytes = 4_000;

export const originSecret = 's'.repeat(32);
export const connectionId = 'connection-1';
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0';
const headers = {
  ...{ host: 'go.example.com', 'user-agent': agent, referer: 'http://a', purpose: 'none' },
  ...{ 'sec-purpose': 'no-prefetch', 'accept-encoding': 'gzip, br', 'if-none-match': 'W/"a", ' },
  ...{ 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1' },
  ...{ 'cloudfront-viewer-country': 'US' },
  ...{ cookie: 'a=b', 'x-forwarded-for': '192.0.2.1', 'content-type': 'application/json' },
};

/** An entry point of the service. */
interface EntryPoint {
  /** Returns a different request for each run, so that caches don't help. */
  normal: (run: number) => object;
  /** The requests that strangers, owners and producers could send instead. */
  hostile: () => Iterable<object>;
}

type Parts = Partial<APIGatewayProxyEventV2>;

/** Three routes get the same long texts. */
const inBase64 = new Map<string, string>();

interface Route {
  path?: Record<string, string>;
  /** An example of each parameter. */
  query?: Record<string, string>;
  /** An example of each field. An array has one element. */
  body?: object;
  /** The fields of a normal request, if it can't have all. */
  normalBody?: object;
  /** The most elements of an array. */
  items?: number;
  /** The largest body that the function parses. */
  bytes?: number;
  /** Whether the function itself reads headers. */
  readsHeaders?: boolean;
}

function httpRoute(
  routeKey: string,
  { path, query, body, normalBody, items, bytes = takenBodyBytes, readsHeaders }: Route = {},
): EntryPoint {
  const [method] = routeKey.split(' ');
  checkExamples(routeKey, { query, body });
  const make = (parts: Parts = {}) => {
    const sent = { 'x-origin-secret': originSecret, ...(parts.headers ?? headers) };
    const valid = { pathParameters: path, queryStringParameters: query };
    const sentBody = body && fillExample(normalBody ?? body);
    return makeHttpEvent(
      { ...valid, body: sentBody, ...parts, routeKey, headers: sent },
      { method },
    );
  };
  function* hostile() {
    for (const sent of readsHeaders ? listHeaders(headers) : listAllHeaders()) {
      yield make({ headers: sent });
    }
    for (const [name, start] of Object.entries(path ?? {})) {
      for (const text of listTexts(pathBytes, start)) {
        yield make({ pathParameters: { [name]: text } });
      }
    }
    for (const queryStringParameters of listQueries(query)) yield make({ queryStringParameters });
    if (!body) return;
    const limited = [...listBodies(body, bytes, items)];
    for (const text of [...limited, ...listJson(bodyBytes)]) yield make({ body: text });
    for (const text of [...limited.slice(0, 20), ...listJson(bodyBytes / 2)]) {
      const encoded = inBase64.get(text) ?? Buffer.from(text).toString('base64');
      inBase64.set(text, encoded);
      yield make({ body: encoded, isBase64Encoded: true });
      yield make({ body: text, isBase64Encoded: true });
    }
  }
  return { normal: () => make(), hostile };
}

/** Throws if the examples lack a parameter or a field that the route's function parses. */
function checkExamples(routeKey: string, { query = {}, body }: Pick<Route, 'query' | 'body'>) {
  const route = routes.find(({ method, path }) => `${method.toUpperCase()} ${path}` === routeKey);
  if (!route && !undocumented.includes(routeKey)) throw new Error(`unknown route: ${routeKey}`);
  if (route?.query) checkExample(route.query, query);
  if (route?.body) checkExample(route.body.schema, body);
}

/** Each header in turn with the worst values, and thousands of headers. */
function* listHeaders(valid: Record<string, string>): Generator<Record<string, string>> {
  for (const [name, start] of Object.entries({ ...valid, 'x-origin-secret': originSecret })) {
    for (const text of listTexts(headerBytes, start)) yield { ...valid, [name]: text };
  }
  const names = Array.from({ length: headerBytes / 5 }, (_, index) => index.toString(36));
  yield Object.fromEntries(names.map((name) => [name, '']));
}

/** All headers at once, for a function that doesn't read headers itself. */
function listAllHeaders(): Record<string, string>[] {
  const names = [...Object.keys(headers), 'x-origin-secret'];
  return listTexts(Math.floor(headerBytes / names.length)).map((text) =>
    Object.fromEntries(names.map((name) => [name, text])),
  );
}

function* listQueries(valid: Record<string, string> = {}): Generator<Record<string, string>> {
  for (const [name, start] of Object.entries(valid)) {
    for (const text of listTexts(pathBytes, start)) yield { ...valid, [name]: text };
  }
  const names = Array.from({ length: pathBytes / 5 }, (_, index) => index.toString(36));
  yield { ...valid, ...Object.fromEntries(names.map((name) => [name, ''])) };
}

function webSocketRoute(routeKey: string, frame?: object): EntryPoint {
  const make = (body?: string, sent = {}) => {
    const authorizer = { sub: 'ada', expiresAt: '4000000000' };
    return { requestContext: { routeKey, connectionId, authorizer }, headers: sent, body };
  };
  function* hostile() {
    for (const sent of listHeaders({ Host: 'live' })) yield make(undefined, sent);
    if (!frame) return;
    for (const text of listJson(frameBytes)) yield make(text);
    // One function answers all four routes.
    if (routeKey === 'watch') {
      checkExample(clientMessageSchema, frame);
      for (const text of listBodies(frame, takenFrameBytes, 25)) yield make(text);
    }
  }
  const normal = () => make(frame && fillExample(frame));
  return { normal, hostile };
}

/** A connection with a valid token. */
export function authorizer(token: string): EntryPoint {
  const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/local/$connect';
  const make = (offer: string) => ({ methodArn, headers: { 'Sec-WebSocket-Protocol': offer } });
  const [head, claims, signature] = token.split('.');
  const encode = (json: string) => Buffer.from(json).toString('base64url');
  const json = listJson(headerBytes / 4).map(encode);
  return {
    normal: () => make(`click-tally, ${token}`),
    hostile: () => [
      ...['', 'click-tally, ', `click-tally, ${token}`, `click-tally, ${head}.`]
        .flatMap((start) => listTexts(headerBytes, start))
        .map(make),
      ...json.map((part) => make(`click-tally, ${part}.${claims}.${signature}`)),
      ...json.map((part) => make(`click-tally, ${head}.${part}.${signature}`)),
    ],
  };
}

/** A click as the bus delivers it. */
const click = {
  ...{ version: '0', id: 'event-1', 'detail-type': 'link.clicked', source: 'click-tally' },
  ...{ account: '000000000000', time: '2026-05-26T10:00:00Z', region: 'us-east-1', resources: [] },
  detail: {
    // This seal takes the longest chain of hashes to reject.
    clickId: `${'a'.repeat(22)}.127.${'b'.repeat(22)}`,
    ...{ code: 'abcd', at: '2026-05-26T10:00:00.000Z' },
    ...{ visitor: 'human', device: 'mobile', referrer: 'own', country: 'US' },
  },
};

function queue(): EntryPoint {
  function* hostile() {
    checkExample(eventSchema, click);
    const bodies = listBodies(click, takenBodyBytes);
    for (const text of [...bodies, ...listTexts(messageBytes, '{')]) {
      yield makeBatch([text]);
    }
    const { detail } = click;
    for (const json of listJson(messageBytes - 1_000)) {
      yield makeBatch([`{"id":"event-1","detail":${json}}`]);
      yield makeBatch([JSON.stringify({ detail }).replace('"detail":{', `$&"more":${json},`)]);
    }
  }
  const normal = (count: number) => {
    const detail = { ...click.detail, clickId: `normal-${count}` };
    return makeBatch([JSON.stringify({ ...click, detail })]);
  };
  return { normal, hostile };
}

function stream(): EntryPoint {
  const items = [link('abcd', 1), dayOf('abcd', '2026-05-26', 1)];
  const make = (changed: object[]) => ({
    Records: changed.map((item) => streamRecord(item as (typeof items)[number])),
  });
  // Users choose an item's URL and code, and producers choose its day.
  const hostile = () => [
    ...listTexts(2_048, 'https://a').map((url) => make([{ ...link('abcd'), url }])),
    ...listTexts(900, 'LINK#abcd').map((PK) => make([{ ...link('abcd'), PK }])),
    ...listTexts(900, 'STAT#2026-05-26').map((SK) => make([{ ...items[1], SK }])),
  ];
  return { normal: () => make(items), hostile };
}

const expiresAt = '2035-01-01T00:00:00Z';
const url = 'https://example.com/a?b=c';
// Hostile texts continue its host. Those of a creation continue its query.
const host = 'https://example.com';
const path = { code: 'abcd' };
const row = { key: 'row-#', url: host, code: 'abcd', expiresAt, disabled: false };
checkExample(newLinkSchema, row);
const mistyped = { ...path, rest: '.' };
const script = Object.keys(assets).find((name) => name.endsWith('.js')) ?? '';
const watching = { action: 'watch', codes: ['abcd#'] };

/** Mistyped links and what browsers and crawlers ask for by themselves. The API's document leaves them out. */
const undocumented = [
  ...['GET /{code}/{rest+}', 'HEAD /{code}/{rest+}', 'GET /robots.txt', 'GET /favicon.ico'],
];

/** All entry points of the service, by route or by function. */
export const entryPoints = (token: string): Record<string, EntryPoint> => ({
  'GET /{code}': httpRoute('GET /{code}', { path, readsHeaders: true }),
  'HEAD /{code}': httpRoute('HEAD /{code}', { path, readsHeaders: true }),
  ...Object.fromEntries(undocumented.map((key) => [key, httpRoute(key, { path: mistyped })])),
  'POST /links': httpRoute('POST /links', {
    ...{ body: { url, code: 'abcd', expiresAt, disabled: false }, normalBody: { url } },
  }),
  // The code is taken, so rows are parsed without filling the table.
  'POST /links/import': httpRoute('POST /links/import', {
    ...{ body: { links: [row] }, bytes: 260_000, items: 100 },
  }),
  'GET /links': httpRoute('GET /links', {
    query: { limit: '25', cursor: 'YWJjZA', format: 'csv' },
  }),
  'GET /links/sum': httpRoute('GET /links/sum', { query: { cursor: 'YWJjZA' } }),
  'PATCH /links/{code}': httpRoute('PATCH /links/{code}', {
    path,
    body: { disabled: false, url: host, expiresAt, expected: { url: host, expiresAt } },
    normalBody: { disabled: false },
  }),
  'GET /links/{code}/stats': httpRoute('GET /links/{code}/stats', {
    ...{ path, query: { from: '2026-01-01', to: '2026-12-31', format: 'csv' } },
  }),
  'GET /live/backlog': httpRoute('GET /live/backlog'),
  'GET /': httpRoute('GET /', { readsHeaders: true }),
  'GET /assets/{file}': httpRoute('GET /assets/{file}', {
    path: { file: script },
    readsHeaders: true,
  }),
  $connect: webSocketRoute('$connect'),
  $disconnect: webSocketRoute('$disconnect'),
  watch: webSocketRoute('watch', watching),
  unwatch: webSocketRoute('unwatch', { ...watching, action: 'unwatch' }),
  ping: webSocketRoute('ping', { action: 'ping' }),
  $default: webSocketRoute('$default', { action: 'other' }),
  'authorize-connection': authorizer(token),
  'aggregate-clicks': queue(),
  'push-counts': stream(),
});
