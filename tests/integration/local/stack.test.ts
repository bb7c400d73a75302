import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { serverMessageSchema } from '../../../lib/live/messages.ts';
import { repeatedClick } from '../../../local/real-messages.ts';
import { fetchByContract } from '../../helpers/contract.ts';
import { isProtected, operations } from '../../helpers/openapi.ts';
import { findPrograms, startTestStack } from '../../helpers/test-stack.ts';

const day = '2026-05-26';
// Generous, because the stack may get only a small share of two cores.
const wait = { timeout: 180_000, interval: 200 };
const stackId = randomUUID();
const onError = vi.fn<(error: Error) => void>();
let stack: Awaited<ReturnType<typeof startTestStack>>;
let bus: EventBridgeClient;

beforeAll(async () => {
  // The stack's processes inherit this.
  process.env.LOCAL_STACK_TEST = stackId;
  // On a busy machine, a click may need more attempts than usual, and the crash below uses some up.
  const params = { visibilityTimeoutSeconds: 10, maxReceiveCount: 10 };
  stack = await startTestStack({ params, onError });
  bus = new EventBridgeClient(localClientConfig(stack.outputs.eventsEndpoint));
});

afterAll(async () => {
  await stack.stop();
  expect(await findPrograms('LOCAL_STACK_TEST', stackId)).toEqual([]);
});

const listErrors = () => onError.mock.calls.map(([{ message }]) => message);

/** The statistics of a link whose clicks are from {@link repeatedClick}. */
function stats(code: string, clicks: number) {
  const unknown = [{ name: 'unknown', count: clicks }];
  return {
    ...{ code, url: 'https://example.com/', clicks, people: 0, bots: 0 },
    days: [{ date: day, count: clicks, people: 0, bots: 0 }],
    breakdowns: {
      ...{ visitor: unknown, device: unknown, referrer: unknown },
      hour: [{ name: '10', count: clicks }],
    },
  };
}

// API Gateway answers HEAD only where a route says so.
test.each([
  [
    'GET',
    /^302 /,
    ['', '.', ')', '%22', '%E2%80%9D', '%E2%80%8B', '/'].map((end) => `/{code}${end}`),
  ],
  ['GET', /^404 text.html/, ['/{code}/a', '/a/b/c']],
  ['GET', /^200 text.plain/, ['/robots.txt']],
  ['GET', /^200 image.svg/, ['/favicon.ico']],
  ['HEAD', /^302 /, ['/{code}']],
  ['HEAD', /^404 /, ['/', '/links', '/links/{code}/stats', '/live/backlog', '/assets/any.js']],
])('%s is answered with %s at %j', async (method, answer, routes) => {
  const code = await stack.createLink();
  const headers = { authorization: `Bearer ${stack.outputs.token}` };

  for (const route of routes) {
    const address = `${stack.outputs.api}${route.replace('{code}', code)}`;
    const response = await fetch(address, { method, headers, redirect: 'manual' });
    expect(`${response.status} ${response.headers.get('content-type')}`, route).toMatch(answer);
  }
});

const event = { EventBusName: 'ClickBus', Source: 'click-tally', DetailType: 'link.clicked' };

test('a click that reaches the bus twice, as two events, counts once', async () => {
  const code = await stack.createLink();
  const Detail = JSON.stringify({ clickId: randomUUID(), code, at: `${day}T10:00:00Z` });

  const { Entries = [] } = await bus.send(
    new PutEventsCommand({ Entries: [1, 2].map(() => ({ ...event, Detail })) }),
  );

  expect(new Set(Entries.map(({ EventId }) => EventId)).size).toBe(2);
  await expect.poll(() => stack.readStats(code), wait).toMatchObject(stats(code, 1));
  await expect.poll(stack.countWaiting, wait).toBe(0);
  expect(await stack.readStats(code)).toMatchObject(stats(code, 1));
});

test('an event that no rule matches is reported with the expected and the actual values', async () => {
  const entry = { ...event, Source: 'click-taly', Detail: '{}' };

  await bus.send(new PutEventsCommand({ Entries: [entry] }));

  await expect
    .poll(listErrors, wait)
    .toContain(
      'An event does not match any rule, so it is not counted: ' +
        'expected source ["click-tally"] and detail-type ["link.clicked"]; ' +
        'got source "click-taly" and detail-type "link.clicked". See docs/producers.md.',
    );
  expect(await stack.countWaiting()).toBe(0);
});

test('500 clicks, each sent three times while the functions crash, count 500, and the live page reconnects', async () => {
  const code = await stack.createLink();
  const watcher = await watch(code);
  await expect.poll(watcher.readClicks, wait).toBe(0);
  const programs = await findPrograms('LOCAL_STACK_TEST', stackId);
  const functions = programs.find(({ commandLine }) => /^\S*node .*offline/.test(commandLine));
  const bodies = Array.from({ length: 500 }, () => repeatedClick(code, randomUUID()));

  await Promise.all([1, 2, 3].map(() => stack.send(...bodies)));
  await expect.poll(watcher.readClicks, wait).toBeGreaterThan(1);
  process.kill(functions?.pid ?? 0, 'SIGKILL');

  await expect.poll(watcher.closeCode, wait).toBe(1006);
  await expect.poll(stack.countWaiting, wait).toBe(0);
  expect(await stack.readStats(code)).toMatchObject(stats(code, 500));
  expect(listErrors()).toContain('The functions ended unexpectedly; restarting them.');
  const again = await watch(code);
  await expect.poll(again.readClicks, wait).toBe(500);
});

/** A token that is valid except for its signature. */
async function forgeToken(): Promise<string> {
  const { token } = stack.outputs;
  const { privateKey } = await generateKeyPair('RS256');
  return new SignJWT(decodeJwt(token))
    .setProtectedHeader({ alg: 'RS256', ...decodeProtectedHeader(token) })
    .sign(privateKey);
}

describe('a protected route', () => {
  const routes = [...operations].flatMap(([route, operation]) =>
    isProtected(operation) ? [route] : [],
  );
  const askAll = (token: string) =>
    Promise.all(
      routes.map(async (route) => {
        const [method, template = ''] = route.split(' ');
        const url = `${stack.outputs.api}${template.replace('{code}', 'any-code')}`;
        const response = await fetchByContract(url, { method, headers: { authorization: token } });
        return { status: response.status, text: await response.text(), headers: response.headers };
      }),
    );

  test('answers 401 without a valid token, and 403 to an ID token', async () => {
    const expired = `Bearer ${await stack.issueToken({ expiresIn: '-1s' })}`;
    for (const token of ['', 'Bearer no-token', `Bearer ${await forgeToken()}`, expired]) {
      for (const { status, text } of await askAll(token)) {
        expect([status, text]).toEqual([401, '{"message":"Unauthorized"}']);
      }
    }
    for (const answer of await askAll(`Bearer ${await stack.issueToken({ use: 'id' })}`)) {
      expect([answer.status, answer.text]).toEqual([403, '{"message":"Forbidden"}']);
      expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    }
  });

  test("accepts a token of the commands' client, but the live connection does not", async () => {
    const token = await stack.issueToken({ audience: 'click-tally-local-command' });
    const headers = { authorization: `Bearer ${token}` };

    const { status } = await fetchByContract(`${stack.outputs.api}/links`, { headers });

    expect(status).toBe(200);
    expect(await readRefusal(stack.outputs.liveUrl, ['click-tally', token])).toBe(403);
  });
});

describe('a website in a browser on the same machine', () => {
  const servers = async () => {
    const { api, liveUrl, token, sqsEndpoint, eventsEndpoint } = stack.outputs;
    const log = await readFile(path.join(path.dirname(stack.stackFile), 'functions.log'), 'utf8');
    const [, lambda = ''] = /http for lambda\] listening on (\S+)/.exec(log) ?? [];
    return {
      api: `${api}/links`,
      live: `${liveUrl.replace('ws:', 'http:')}/@connections/any`,
      invocations: `${lambda}/2015-03-31/functions/click-tally-local-aggregate-clicks/invocations`,
      'sign-in': `${decodeJwt(token).iss}/token`,
      queues: `${sqsEndpoint}/?Action=CreateTopic&Name=evil`,
      bus: eventsEndpoint,
    };
  };
  const ask = async (url: string, method: string, headers: Record<string, string>) => {
    const sent = request(url, { method, headers }).end(method === 'POST' ? '{}' : undefined);
    const [{ statusCode, headers: answered }] = (await once(sent, 'response')) as [IncomingMessage];
    const allowed = Object.keys(answered).filter((name) => name.startsWith('access-control-'));
    return [statusCode, ...allowed];
  };

  test.each(['api', 'live', 'invocations', 'sign-in', 'queues', 'bus'] as const)(
    "cannot reach the stack's servers: %s",
    async (name) => {
      const { [name]: url } = await servers();
      const { port } = new URL(url);
      const preflight = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
      const attempts: [method: string, headers: Record<string, string>][] = [
        ['OPTIONS', preflight],
        ['POST', { origin: 'http://evil.example', 'content-type': 'text/plain' }],
        ['POST', { origin: 'null' }],
        ['POST', { origin: 'http://127.0.0.1:1' }],
        ['POST', { origin: 'http://127.0.0.1.evil.example' }],
        ['POST', { origin: 'http://evil.example', expect: '100-continue' }],
        ['GET', { host: `evil.example:${port}` }],
        ['POST', { host: `evil.example:${port}`, origin: `http://evil.example:${port}` }],
        ['GET', { host: `127.0.0.1.evil.example:${port}` }],
      ];

      const answers = await Promise.all(attempts.map((attempt) => ask(url, ...attempt)));

      expect(answers).toEqual(attempts.map(() => [403]));
    },
  );

  test.each([
    ['http://evil.example', 403, 403, 403],
    ['http://127.0.0.1', 200, 400, undefined],
    ['http://localhost', 200, 400, undefined],
  ])(
    "cannot open a live connection, unlike the stack's own page: %s",
    async (site, ...expected) => {
      const { api, liveUrl, token } = stack.outputs;
      const { port } = new URL(api);
      const headers = { origin: `${site}:${port}` };

      const [page] = await ask(`${api}/`, 'GET', { ...headers, host: `localhost:${port}` });
      const [noGrant] = await ask((await servers())['sign-in'], 'POST', headers);
      const connection = await readRefusal(liveUrl, ['click-tally', token], headers);

      expect([page, noGrant, connection]).toEqual(expected);
    },
  );
});

test('a live connection is rejected without a valid token, and with a token only in the address', async () => {
  const { liveUrl, token } = stack.outputs;
  const expired = await stack.issueToken({ expiresIn: '-1s' });
  const attempts: [address: string, protocols: string[]][] = [
    [liveUrl, ['click-tally', 'no-token']],
    [liveUrl, ['click-tally', await forgeToken()]],
    [liveUrl, ['click-tally', expired]],
    [liveUrl, ['click-tally', await stack.issueToken({ use: 'id' })]],
    [liveUrl, ['click-tally']],
    [liveUrl, []],
    [`${liveUrl}?token=${token}&access_token=${token}&Authorization=${token}`, ['click-tally']],
    [`${liveUrl}?Sec-WebSocket-Protocol=click-tally,${token}`, []],
  ];

  const answers = await Promise.all(attempts.map((attempt) => readRefusal(...attempt)));

  expect(answers).toEqual(attempts.map(() => 403));
});

/** Connects as the live page does, watches a link, and checks each message against its schema. */
async function watch(code: string) {
  const socket = new WebSocket(stack.outputs.liveUrl, ['click-tally', stack.outputs.token]);
  onTestFinished(() => socket.terminate());
  let clicks: number | undefined;
  socket.on('message', (data) => {
    const message = serverMessageSchema.parse(JSON.parse(`${data}`));
    const links: { clicks?: number }[] = 'links' in message ? message.links : [];
    clicks = links.findLast((link) => link.clicks !== undefined)?.clicks ?? clicks;
  });
  let closeCode: number | undefined;
  socket.once('close', (code) => {
    closeCode = code;
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ action: 'watch', codes: [code] }));
  return { socket, readClicks: () => clicks, closeCode: () => closeCode };
}

/** The status with which a connection is rejected, or undefined if it opens. */
async function readRefusal(
  address: string,
  protocols: string[],
  headers: ClientOptions['headers'] = {},
): Promise<number | undefined> {
  const socket = new WebSocket(address, protocols, { headers });
  onTestFinished(() => socket.terminate());
  const refusal = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode);
  return await Promise.race([refusal, once(socket, 'open').then(() => undefined)]);
}
