import { assets } from 'virtual:dashboard';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect } from 'vitest';
import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';
import { routes } from '../../generate/openapi/routes.ts';
import { mintKey } from '../../lib/api-keys/api-key.ts';
import { campaignParameters } from '../../lib/clicks/campaign.ts';
import { eventSchema } from '../../lib/clicks/click.ts';
import { newLinkSchema } from '../../lib/links/api/link-request.ts';
import { mapLines } from '../../lib/links/rules/link-fields.ts';
import { clientMessageSchema } from '../../lib/live/client-messages.ts';
import { streamRecord } from '../helpers/connections.ts';
import { detailFields } from '../helpers/event-fields.ts';
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
/** A key that a-user has, and the ids of others. */
export const apiKey = mintKey('a'.repeat(40));
export const keyIdOf = (run: number) => `normal${run + 1_000}`;
export const connectionId = 'connection-1';
const headers = {
  host: 'go.example.com',
  referer: 'http://a',
  purpose: 'none',
  authorization: `Bearer ${apiKey.key}`,
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0',
  'sec-purpose': 'no-prefetch',
  'accept-encoding': 'gzip, br',
  'if-none-match': 'W/"a", ',
  'sec-fetch-dest': 'iframe',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'cloudfront-viewer-country': 'US',
  'cloudfront-viewer-asn': '16509',
  'x-origin-secret': originSecret,
  'sec-ch-ua': '"Chromium";v="142"',
  'signature-agent': '"https://a"',
  accept: '*/*',
  cookie: 'a=b',
  'x-forwarded-for': '192.0.2.1',
  'content-type': 'application/json',
};

/** An entry point of the service. */
interface EntryPoint {
  /** The name of its function's file. */
  functionName: string;
  /** Returns a different request for each run, so that caches don't help. */
  normal: (run: number) => object;
  /** The requests that strangers, owners and producers could send instead. */
  hostile: () => Iterable<object>;
}

/** What a route takes besides its path and its headers. */
interface Input {
  /** The path of a normal request, if it can't repeat the same. */
  normalPath?: (run: number) => Record<string, string>;
  /** The caller of a normal request, if one can't repeat it. */
  normalCaller?: (run: number) => string;
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

function httpRoute(routeKey: string, functionName: string): EntryPoint {
  const input = inputs[routeKey.replace(' /api/links', ' /links')] ?? {};
  const { normalPath, normalCaller, query, body, normalBody = body, items } = input;
  const { bytes = takenBodyBytes, readsHeaders } = input;
  const [method] = routeKey.split(' ');
  const path = Object.fromEntries(
    Object.entries(pathParameters).filter(([name]) => routeKey.includes(`{${name}`)),
  );
  const route = routes.find((one) => one.routeKey === routeKey);
  // Throws if the examples lack a parameter or a field that the route's function parses.
  if (route?.query) checkExample(route.query, query ?? {});
  if (route?.body) checkExample(route.body.schema, body ?? {});
  const valid = {
    pathParameters: path,
    queryStringParameters: query,
    headers,
    routeKey,
    ...(normalBody && { body: fillExample(normalBody) }),
  };
  const make = (parts: Partial<APIGatewayProxyEventV2>, caller?: string) =>
    makeHttpEvent({ ...valid, ...parts }, { method, caller });
  const normal = (run: number) =>
    make({ pathParameters: normalPath?.(run) ?? path }, normalCaller?.(run));
  function* hostile() {
    const isByKey = routeKey.includes(' /api/links');
    const read = isByKey ? { authorization: headers.authorization } : headers;
    const sentHeaders = readsHeaders || isByKey ? vary(read, headerBytes) : listAllHeaders();
    for (const sent of sentHeaders) {
      yield make({ headers: { 'x-origin-secret': originSecret, ...sent } });
    }
    // The function does the rest as for a token.
    if (isByKey) return;
    for (const pathParameters of vary(path, pathBytes)) yield make({ pathParameters });
    for (const queryStringParameters of vary(query, pathBytes))
      yield make({ queryStringParameters });
    for (const name of readsHeaders ? ['a', ...campaignParameters] : []) {
      for (const rawQueryString of listTexts(pathBytes, `${name}=`)) yield make({ rawQueryString });
    }
    if (!body) return;
    const limited = [...listBodies(body, bytes, items)];
    for (const text of [...limited, ...listJson(bodyBytes)]) yield make({ body: text });
    for (const text of [...limited.slice(0, 20), ...listJson(bodyBytes / 2)]) {
      yield make({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true });
      yield make({ body: text, isBase64Encoded: true });
    }
  }
  return { functionName, normal, hostile };
}

/** Each valid header or parameter in turn with the worst values, and thousands of others. */
function* vary(
  valid: Record<string, string> = {},
  bytes: number,
): Generator<Record<string, string>> {
  for (const [name, start] of Object.entries(valid)) {
    for (const text of listTexts(bytes, start)) yield { ...valid, [name]: text };
  }
  const names = Array.from({ length: bytes / 5 }, (_, index) => index.toString(36));
  yield Object.fromEntries(names.map((name) => [name, '']));
}

/** All headers at once, for a function that doesn't read headers itself. */
function listAllHeaders(): Record<string, string>[] {
  const names = Object.keys(headers);
  return listTexts(Math.floor(headerBytes / names.length)).map((text) =>
    Object.fromEntries(names.map((name) => [name, text])),
  );
}

function webSocketRoute(functionName: string, routeKey: string, frame?: object): EntryPoint {
  const make = (body?: string, sent = {}) => {
    const authorizer = { sub: 'ada', expiresAt: '4000000000' };
    return { requestContext: { routeKey, connectionId, authorizer }, headers: sent, body };
  };
  function* hostile() {
    for (const sent of vary({ Host: 'live' }, headerBytes)) yield make(undefined, sent);
    if (!frame) return;
    for (const text of listJson(frameBytes)) yield make(text);
    // One function answers all four routes.
    if (routeKey !== 'watch') return;
    checkExample(clientMessageSchema, frame);
    for (const text of listBodies(frame, takenFrameBytes, 25)) yield make(text);
  }
  return { functionName, normal: () => make(frame && fillExample(frame)), hostile };
}

/** A connection with a valid token. */
function authorizer(token: string): EntryPoint {
  const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/local/$connect';
  const make = (offer: string) => ({ methodArn, headers: { 'Sec-WebSocket-Protocol': offer } });
  const [head, claims, signature] = token.split('.');
  const json = listJson(headerBytes / 4).map((text) => Buffer.from(text).toString('base64url'));
  return {
    functionName: 'authorize-connection',
    normal: () => make(`click-tally, ${token}`),
    hostile: () =>
      [
        ...['', 'click-tally, ', `click-tally, ${token}`, `click-tally, ${head}.`].flatMap(
          (start) => listTexts(headerBytes, start),
        ),
        ...json.map((part) => `click-tally, ${part}.${claims}.${signature}`),
        ...json.map((part) => `click-tally, ${head}.${part}.${signature}`),
      ].map(make),
  };
}

/** A click as the bus delivers it. */
const click = {
  version: '0',
  id: 'event-1',
  'detail-type': 'link.clicked',
  source: 'click-tally',
  account: '000000000000',
  time: '2026-05-26T10:00:00Z',
  region: 'us-east-1',
  resources: [],
  detail: {
    // This seal takes the longest chain of hashes to reject.
    clickId: `${'a'.repeat(22)}.127.${'b'.repeat(22)}`,
    code: 'abcd',
    at: '2026-05-26T10:00:00.000Z',
    visitor: 'human',
    device: 'mobile',
    referrer: 'own',
    country: 'US',
    network: 'other',
    utm_source: 'news',
    utm_medium: 'mail',
    utm_campaign: 'spring',
  },
};

function queue(): EntryPoint {
  const { detail } = click;
  function* hostile() {
    checkExample(eventSchema, click);
    expect(Object.keys(detail)).toEqual(expect.arrayContaining([...detailFields]));
    for (const text of listBodies(click, takenBodyBytes)) yield makeBatch([text]);
    for (const text of listTexts(messageBytes, '{')) yield makeBatch([text]);
    for (const json of listJson(messageBytes - 1_000)) {
      yield makeBatch([`{"id":"event-1","detail":${json}}`]);
      yield makeBatch([JSON.stringify({ detail }).replace('"detail":{', `$&"more":${json},`)]);
    }
  }
  const normal = (run: number) =>
    makeBatch([JSON.stringify({ ...click, detail: { ...detail, clickId: `normal-${run}` } })]);
  return { functionName: 'aggregate-clicks', normal, hostile };
}

/** Events with many clicks, of which some or all are hostile. */
function envelopes(): EntryPoint {
  const make = (json: string) => makeBatch([json]);
  const example = { ...click, detail: { clicks: [{ ...click.detail, clickId: 'nested-#' }] } };
  function* hostile() {
    for (const text of listBodies(example, takenBodyBytes, 20)) yield make(text);
    for (const one of [
      'null',
      '{}',
      '{"clickId":"lost-#","code":"nowhere-#","at":"2026-05-26T10:00:00Z"}',
    ]) {
      const clicks = Array<string>(500)
        .fill(one)
        .join()
        .replaceAll('#', () => `${Math.random()}`);
      yield make(`{"detail":{"clicks":[${clicks}]}}`);
    }
  }
  const normal = () => make(fillExample(example, { bytes: takenBodyBytes, items: 100 }));
  return { functionName: 'aggregate-clicks', normal, hostile };
}

function stream(): EntryPoint {
  const changed = link('abcd', 1);
  const day = dayOf('abcd', '2026-05-26', 1);
  const make = (...items: object[]) => ({
    Records: items.map((item) => streamRecord(item as typeof changed)),
  });
  // Users choose an item's URL and code, and producers choose its day.
  const hostile = () => [
    ...listTexts(2_048, 'https://a').map((url) => make({ ...changed, url })),
    ...listTexts(900, 'LINK#abcd').map((PK) => make({ ...changed, PK })),
    ...listTexts(900, 'STAT#2026-05-26').map((SK) => make({ ...day, SK })),
  ];
  return { functionName: 'push-counts', normal: () => make(changed, day), hostile };
}

const expiresAt = '2035-01-01T00:00:00Z';
const url = 'https://example.com/a?b=c';
// Hostile texts continue its host. Those of a creation continue its query.
const host = 'https://example.com';
const texts = { expiresAt, ...mapLines(() => 'a'), tags: [], forwardQuery: true };
const row = { key: 'row-#', url: host, code: 'abcd', ...texts, disabled: false };
checkExample(newLinkSchema, row);
const script = Object.keys(assets).find((name) => name.endsWith('.js')) ?? '';
const watching = { action: 'watch', codes: ['abcd#'] };
const newKey = { name: 'backup', scope: 'read', expiresInDays: 90 };
const pathParameters = { code: 'abcd', rest: '.', id: keyIdOf(0), file: script };

/** By route. Those for API keys take the same. */
const inputs: Record<string, Input> = {
  'GET /{code}': { readsHeaders: true },
  'HEAD /{code}': { readsHeaders: true },
  'POST /links': { body: { url, code: 'abcd', ...texts, disabled: false }, normalBody: { url } },
  // The code is taken, so rows are parsed without filling the table.
  'POST /links/import': { body: { links: [row], dryRun: false }, bytes: 260_000, items: 100 },
  'GET /links': { query: { limit: '25', cursor: 'YWJjZA', format: 'csv', deleted: 'true' } },
  'GET /links/overview': {
    query: {
      from: '2026-01-01',
      to: '2026-01-31',
      compare: 'before',
      code: 'abcd',
      tag: 'a',
      search: 'a',
      filter: 'country:DE',
      values: 'true',
      visitors: 'true',
      partial: 'true',
      format: 'json',
    },
  },
  'PATCH /links/{code}': {
    normalBody: { disabled: false },
    body: { disabled: false, url: host, ...texts, expected: { url: host, ...texts } },
  },
  'GET /links/{code}/stats': {
    query: { from: '2026-01-01', to: '2026-12-31', format: 'csv' },
  },
  // A user's keys are limited in number.
  'POST /api/keys': { body: newKey, normalCaller: (run) => `user-${run}` },
  'DELETE /api/keys/{id}': { normalPath: (run) => ({ id: keyIdOf(run) }) },
  'GET /': { readsHeaders: true },
  'GET /assets/{file}': { readsHeaders: true },
};

/** The functions by route. The API's document leaves some routes out. */
const functionNames: Record<string, string> = {
  ...Object.fromEntries(routes.map(({ routeKey, function: name }) => [routeKey, name])),
  // Mistyped links and what browsers and crawlers ask for by themselves.
  'GET /{code}/{rest+}': 'resolve-link',
  'HEAD /{code}/{rest+}': 'resolve-link',
  'GET /robots.txt': 'serve-page',
  'GET /favicon.ico': 'serve-page',
};

/** All entry points of the service, by route or by function. */
export const entryPoints = (token: string): Record<string, EntryPoint> => ({
  ...Object.fromEntries(
    Object.entries(functionNames).map(([key, name]) => [key, httpRoute(key, name)]),
  ),
  $connect: webSocketRoute('open-connection', '$connect'),
  $disconnect: webSocketRoute('close-connection', '$disconnect'),
  watch: webSocketRoute('watch-links', 'watch', watching),
  unwatch: webSocketRoute('watch-links', 'unwatch', { ...watching, action: 'unwatch' }),
  ping: webSocketRoute('watch-links', 'ping', { action: 'ping' }),
  $default: webSocketRoute('watch-links', '$default', { action: 'other' }),
  'authorize-connection': authorizer(token),
  'aggregate-clicks': queue(),
  'aggregate-clicks, envelopes': envelopes(),
  'push-counts': stream(),
});
