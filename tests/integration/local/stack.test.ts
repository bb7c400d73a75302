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
const wait = { timeout: 180_000, interval: 100 };
const stackId = randomUUID();
const onError = vi.fn<(error: Error) => void>();
let stack: Awaited<ReturnType<typeof startTestStack>>;

beforeAll(async () => {
  // The stack's processes inherit this.
  process.env.LOCAL_STACK_TEST = stackId;
  // A dead letter takes 50 s. With fewer or shorter attempts, a valid click on a busy machine becomes one.
  stack = await startTestStack({
    params: { visibilityTimeoutSeconds: 10, maxReceiveCount: 5 },
    onError,
  });
});

afterAll(async () => {
  await stack.stop();
  expect(await findPrograms('LOCAL_STACK_TEST', stackId)).toEqual([]);
});

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

test('concurrent visits all count', async () => {
  const code = await stack.createLink();

  const visits = await Promise.all(Array.from({ length: 100 }, () => stack.openLink(code)));

  expect(visits.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 302));
  await expect.poll(async () => (await stack.readStats(code)).clicks, wait).toBe(100);
});

test('HEAD works only for short links, as on AWS, and is not counted', async () => {
  const code = await stack.createLink();
  const headers = { authorization: `Bearer ${stack.outputs.token}` };
  const ask = async (path: string) => {
    const address = `${stack.outputs.api}${path}`;
    return (await fetch(address, { method: 'HEAD', headers, redirect: 'manual' })).status;
  };

  const paths = ['/', '/links', `/links/${code}/stats`, '/live/backlog', '/assets/any.js'];
  expect(await Promise.all(paths.map(ask))).toEqual(paths.map(() => 404));
  expect(await ask(`/${code}`)).toBe(302);
  await stack.openLink(code);
  await expect.poll(async () => (await stack.readStats(code)).clicks, wait).toBe(1);
  await expect.poll(stack.countWaiting, wait).toBe(0);
  expect((await stack.readStats(code)).clicks).toBe(1);
});

test('visitors reach a link although something follows its code, and crawlers get their files', async () => {
  const code = await stack.createLink();
  const open = async (path: string) => {
    const response = await fetch(`${stack.outputs.api}${path}`, { redirect: 'manual' });
    return `${response.status} ${response.headers.get('content-type')?.split(';')[0] ?? ''}`;
  };

  for (const appended of ['.', ')', '%22', '%E2%80%9D', '%E2%80%8B', '/']) {
    expect(await open(`/${code}${appended}`), appended).toMatch(/^302 /);
  }
  expect(await open(`/${code}/a`)).toBe('404 text/html');
  expect(await open('/a/b/c')).toBe('404 text/html');
  expect(await open('/robots.txt')).toBe('200 text/plain');
  expect(await open('/favicon.ico')).toBe('200 image/svg+xml');
});

test('a click that reaches the bus twice, as two events, counts once', async () => {
  const code = await stack.createLink();
  const bus = new EventBridgeClient(localClientConfig(stack.outputs.eventsEndpoint));
  const entry = {
    EventBusName: stack.outputs.busName,
    Source: 'click-tally',
    DetailType: 'link.clicked',
    Detail: JSON.stringify({ clickId: randomUUID(), code, at: `${day}T10:00:00Z` }),
  };

  const { FailedEntryCount, Entries = [] } = await bus.send(
    new PutEventsCommand({ Entries: [entry, entry] }),
  );

  expect(FailedEntryCount).toBe(0);
  expect(new Set(Entries.map(({ EventId }) => EventId)).size).toBe(2);
  await expect.poll(() => stack.readStats(code), wait).toMatchObject(stats(code, 1));
  await expect.poll(stack.countWaiting, wait).toBe(0);
  expect(await stack.readStats(code)).toMatchObject(stats(code, 1));
});

test('an event that no rule matches is reported with the expected and the actual values', async () => {
  const bus = new EventBridgeClient(localClientConfig(stack.outputs.eventsEndpoint));
  const entry = {
    EventBusName: stack.outputs.busName,
    Source: 'click-taly',
    DetailType: 'link.clicked',
    Detail: '{}',
  };

  await bus.send(new PutEventsCommand({ Entries: [entry] }));

  const readMessages = () => onError.mock.calls.map(([{ message }]) => message);
  await expect
    .poll(readMessages, wait)
    .toContain(
      'An event does not match any rule, so it is not counted: ' +
        'expected source ["click-tally"] and detail-type ["link.clicked"]; ' +
        'got source "click-taly" and detail-type "link.clicked". See docs/producers.md.',
    );
  expect(await stack.countWaiting()).toBe(0);
});

test('clicks before, during and after a restart of the functions count once', async () => {
  const code = await stack.createLink();
  const counted = repeatedClick(code, randomUUID());
  const bodies = Array.from({ length: 299 }, () => repeatedClick(code, randomUUID()));
  await stack.send(counted);
  await expect.poll(() => stack.readStats(code), wait).toMatchObject(stats(code, 1));
  await stack.send(...bodies);
  await expect.poll(async () => (await stack.readStats(code)).clicks, wait).toBeGreaterThan(1);

  await stack.restartFunctions();
  await stack.send(counted);

  await expect.poll(stack.countWaiting, wait).toBe(0);
  expect(await stack.readStats(code)).toMatchObject(stats(code, 300));
});

test('crashed functions are restarted, no click is lost, and the live page reconnects', async () => {
  const code = await stack.createLink();
  const watcher = await watch(code);
  await expect.poll(watcher.readClicks, wait).toBe(0);
  const programs = await findPrograms('LOCAL_STACK_TEST', stackId);
  const functions = programs.find(({ commandLine }) => /^\S*node .*offline/.test(commandLine));

  process.kill(functions?.pid ?? 0, 'SIGKILL');

  await stack.send(repeatedClick(code, randomUUID()));
  await expect.poll(stack.countWaiting, wait).toBe(0);
  expect(await stack.readStats(code)).toMatchObject(stats(code, 1));
  const messages = onError.mock.calls.map(([{ message }]) => message);
  expect(messages).toContain('The functions ended unexpectedly; restarting them.');
  await expect.poll(watcher.closeCode, wait).toBe(1006);
  const again = await watch(code);
  await expect.poll(again.readClicks, wait).toBe(1);
});

test('1,000 clicks, each sent three times, count 1,000, while a poison message becomes a dead letter', async () => {
  const codes = await Promise.all(Array.from({ length: 10 }, stack.createLink));
  const bodies = codes.flatMap((code) =>
    Array.from({ length: 100 }, () => repeatedClick(code, randomUUID())),
  );
  const poison = '{"id":"bad-event-1","detail":{"at":"2026-05-25T10:00:00Z"}}';

  await stack.send(poison);
  await Promise.all([1, 2, 3].map(() => stack.send(...bodies)));

  await expect.poll(stack.countWaiting, wait).toBe(0);
  for (const code of codes) expect(await stack.readStats(code)).toMatchObject(stats(code, 100));
  await expect.poll(stack.readDeadLetters, wait).toEqual([poison]);
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

  test.each(routes)('%s answers 401 without a valid token', async (route) => {
    const [method, template = ''] = route.split(' ');
    const url = `${stack.outputs.api}${template.replace('{code}', 'any-code')}`;
    const invalid = ['', 'Bearer no-token', `Bearer ${await forgeToken()}`];
    const expired = `Bearer ${await stack.issueToken({ expiresIn: '-1s' })}`;

    for (const authorization of [...invalid, expired]) {
      const headers = { authorization };
      const response = await fetchByContract(url, { method, headers });
      expect([response.status, await response.json()]).toEqual([401, { message: 'Unauthorized' }]);
    }
  });

  test.each(routes)('%s answers 403 to an ID token', async (route) => {
    const [method, template = ''] = route.split(' ');
    const url = `${stack.outputs.api}${template.replace('{code}', 'any-code')}`;
    const headers = { authorization: `Bearer ${await stack.issueToken({ use: 'id' })}` };

    const response = await fetchByContract(url, { method, headers });

    expect([response.status, await response.json()]).toEqual([403, { message: 'Forbidden' }]);
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  test('accepts a valid token', async () => {
    const headers = { authorization: `Bearer ${await stack.issueToken()}` };
    const response = await fetchByContract(`${stack.outputs.api}/links/any-code/stats`, {
      headers,
    });
    expect(response.status).toBe(404);
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

describe('two users', () => {
  interface Answer {
    code: string;
    links: { code: string }[];
  }

  const asUser = async (token: string, method: string, route: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${stack.outputs.api}${route}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const create = async (token: string): Promise<string> => {
    const { body } = await asUser(token, 'POST', '/links', { url: 'https://example.com/' });
    return body.code;
  };

  test('disable and enable their own links, and visitors notice', async () => {
    const { otherToken } = stack.outputs;
    const code = await create(otherToken);

    const disabled = await asUser(otherToken, 'PATCH', `/links/${code}`, { disabled: true });
    const gone = await stack.openLink(code);
    await asUser(otherToken, 'PATCH', `/links/${code}`, { disabled: false });

    expect(disabled).toMatchObject({ status: 200, body: { code, disabled: true } });
    expect(gone.status).toBe(410);
    expect((await stack.openLink(code)).status).toBe(302);
  });
});

describe('the live page', () => {
  test('still gets numbers after others have closed', async () => {
    const code = await stack.createLink();
    const [gone, staying] = [await watch(code), await watch(code)];
    for (const { readClicks } of [gone, staying]) await expect.poll(readClicks, wait).toBe(0);
    onError.mockClear();

    gone.socket.terminate();
    await stack.openLink(code);

    await expect.poll(staying.readClicks, wait).toBe(1);
    expect(onError).not.toHaveBeenCalled();
  });

  test('is rejected without a valid token, and with a token only in the address', async () => {
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
