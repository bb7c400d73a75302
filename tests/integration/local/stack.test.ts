import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type ServerMessage, serverMessageSchema } from '../../../lib/live/messages.ts';
import { findBrowserProblem, launchBrowser } from '../../../local/engines/chromium.ts';
import { repeatedClick, repeatedClickDay } from '../../../local/real-messages.ts';
import { listen } from '../../../loopback/http-server.ts';
import { localClientConfig } from '../../../loopback/local-aws.ts';
import { openTab, signIn } from '../../helpers/browser-tab.ts';
import { startCommand } from '../../helpers/command.ts';
import { fetchByContract } from '../../helpers/contract.ts';
import { isProtected, operations } from '../../helpers/openapi.ts';
import { findPrograms, startTestStack } from '../../helpers/test-stack.ts';

// Generous, because the stack may get only a small share of two cores.
const wait = { timeout: 180_000, interval: 200 };
const stackId = randomUUID();
const onError = vi.fn<(error: Error) => void>();
let stack: Awaited<ReturnType<typeof startTestStack>>;

beforeAll(async () => {
  // The stack's processes inherit this.
  process.env.LOCAL_STACK_TEST = stackId;
  // On a busy machine, a click may need more attempts than usual, and the crash below uses some up.
  const params = { visibilityTimeoutSeconds: 10, maxReceiveCount: 10 };
  stack = await startTestStack({ params, onError });
});

afterAll(async () => {
  await stack.stop();
  expect(await findPrograms('LOCAL_STACK_TEST', stackId)).toEqual([]);
});

const listErrors = () => onError.mock.calls.map(([{ message }]) => message);

test.each([
  [
    'GET',
    /^302 /,
    ['', '.', ')', '%22', '%E2%80%8B', '/', '&utm_source=a', '%3Fa=b', '%60a/b%60'].map(
      (end) => `/{code}${end}`,
    ),
  ],
  ['GET', /^404 text.html/, ['/{code}/a', '/a/b/c']],
  ['GET', /^200 text.plain/, ['/robots.txt']],
  ['GET', /^200 image.svg/, ['/favicon.ico']],
  ['HEAD', /^302 /, ['/{code}']],
])('%s is answered with %s at %j', async (method, answer, routes) => {
  const code = await stack.createLink();
  const headers = { authorization: `Bearer ${stack.outputs.token}` };

  for (const route of routes) {
    const address = `${stack.outputs.api}${route.replace('{code}', code)}`;
    const response = await fetch(address, { method, headers, redirect: 'manual' });
    expect(`${response.status} ${response.headers.get('content-type')}`, route).toMatch(answer);
  }
});

test('a link forwards a query byte for byte, as behind API Gateway', async () => {
  const { api, token } = stack.outputs;
  const link = { url: 'https://example.com/', forwardQuery: true };
  const headers = { authorization: `Bearer ${token}` };
  const created = await fetch(`${api}/links`, {
    method: 'POST',
    headers,
    body: JSON.stringify(link),
  });
  const { code } = (await created.json()) as { code: string };
  const query = "debug&a=%20+b*'(~)!&c=%7e&d=%zz&e=1?f=%2F/";

  const visit = request(`${api}/${code}`, { path: `/${code}?${query}` }).end();
  const [response] = (await once(visit, 'response')) as [IncomingMessage];

  expect(response.headers.location).toBe(`https://example.com/?${query}`);
});

test('an event that no rule matches is reported', async () => {
  const event = {
    EventBusName: stack.outputs.busName,
    Source: 'click-taly',
    DetailType: 'link.clicked',
  };
  const bus = new EventBridgeClient(localClientConfig(stack.outputs.eventsEndpoint));

  // Other tests' clicks are on their way.
  await expect.poll(stack.countWaiting, wait).toBe(0);
  await bus.send(new PutEventsCommand({ Entries: [{ ...event, Detail: '{}' }] }));

  await expect
    .poll(listErrors, wait)
    .toContain(
      'An event does not match any rule, so it is not counted: ' +
        'got source "click-taly" and detail-type "link.clicked". See docs/producers.md.',
    );
  expect(await stack.countWaiting()).toBe(0);
});

test('a visit whose campaign is an emoji counts', async () => {
  const code = await stack.createLink();

  await fetch(`${stack.outputs.api}/${code}?utm_campaign=🎉`, { redirect: 'manual' });

  const campaigns = { utm_campaign: [{ name: '🎉', count: 1 }] };
  await expect.poll(() => stack.readStats(code), wait).toMatchObject({ clicks: 1, campaigns });
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
        expect(status).toBe(401);
        expect(text).toBe('{"message":"Unauthorized"}');
      }
    }
    for (const answer of await askAll(`Bearer ${await stack.issueToken({ use: 'id' })}`)) {
      expect(answer.status).toBe(403);
      expect(answer.text).toBe('{"message":"Forbidden"}');
      expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    }
  });
});

test("a live connection needs a valid token of the page, and a website needs the page's origin", async () => {
  const { api, token } = stack.outputs;
  const { port } = new URL(api);
  const ofCommands = await stack.issueToken({ audience: 'click-tally-local-command' });

  for (const rejected of [await forgeToken(), ofCommands]) {
    expect(await readRejection(rejected)).toBe(403);
  }
  expect(await readRejection(token, `http://evil.example:${port}`)).toBe(403);
  expect(await readRejection(token, `http://localhost:${port}`)).toBeUndefined();
});

test('a program with an API key has the routes for keys, as far as its scope permits, and no others', async () => {
  const send = async (credential: string, route: string, body?: object) => {
    const [method = '', target] = route.split(' ');
    const response = await fetchByContract(`${stack.outputs.api}${target}`, {
      method,
      headers: { authorization: `Bearer ${credential}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const mint = async (scope: string) => {
    const settings = { name: scope, scope, expiresInDays: 1 };
    return (await send(stack.outputs.token, 'POST /api/keys', settings)).body.key;
  };
  const key = await mint('write');
  const reader = await mint('read');

  const { code } = (await send(key, 'POST /api/links', { url: 'https://example.com/' })).body;

  await send(key, `PATCH /api/links/${code}`, { disabled: true });
  expect((await stack.openLink(code)).status).toBe(410);
  const environment = { STACK_FILE: stack.stackFile, CLICK_TALLY_KEY: reader };
  const { stdout } = await startCommand('cli/links.ts', ['list'], environment).ended;
  expect(stdout).toContain(code);
  expect((await send(reader, 'POST /api/links', {})).status).toBe(403);
  expect((await send(stack.outputs.token, 'POST /api/links', {})).status).toBe(401);
  for (const route of ['GET /links', 'GET /api/keys', 'POST /api/keys']) {
    expect((await send(key, route)).status, route).toBe(401);
  }
  expect(await readFile(stack.logFile, 'utf8')).not.toContain(key.slice(-36));
});

// A headless browser says so in both headers, and would count as a bot.
const person = {
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  extraHTTPHeaders: { 'sec-ch-ua': '"Google Chrome";v="142", "Chromium";v="142"' },
};

test.skipIf(findBrowserProblem())(
  "an owner who has the page open sees a new link's clicks count once, without a reload",
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const { port, stop } = await listen(createServer((_, response) => response.end('Arrived.')));
    cleanup.defer(stop);
    const browser = await launchBrowser({ everyNameLeadsTo: port });
    cleanup.defer(() => browser.close());
    const owner = await openTab(browser);
    const visitor = await openTab(browser, person);
    const { page } = owner;
    const readTotal = async () => Number(await page.locator('.total').innerText());
    const received: string[] = [];
    page.setDefaultTimeout(wait.timeout);
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => received.push(`${payload}`));
    });
    // Other tests' clicks are on their way.
    await expect.poll(stack.countWaiting, wait).toBe(0);
    await signIn(page, { url: `${stack.outputs.api}/` });
    const code = `code-${randomUUID().slice(0, 8)}`;
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByLabel('Destination').fill('http://example.com/there');
    await page.getByLabel('Code (optional)').fill(code);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('listitem').filter({ hasText: code });
    await expect.poll(() => received.join(), wait).toContain(code);
    const before = await readTotal();
    // Every total that the page shows.
    await page.evaluate(`
    window.totals = [];
    new MutationObserver(() => totals.push(Number(document.querySelector('.total').textContent)))
      .observe(document.querySelector('.total'), { subtree: true, characterData: true, childList: true });
  `);

    await visitor.page.goto(`${stack.outputs.api}/${code}`);

    expect(await visitor.page.innerText('body')).toBe('Arrived.');
    await expect
      .poll(() => row.locator('.link-numbers').innerText(), wait)
      .toMatch(/^1\s+by people\s+0\s+by bots\s+1\s+click\s+1\s+today/);
    const push = { type: 'counts', links: [expect.objectContaining({ code, clicks: 1 })] };
    expect(received.map((text) => JSON.parse(text))).toContainEqual(push);
    const { breakdowns } = await stack.readStats(code);
    expect(breakdowns.visitor).toEqual([{ name: 'human', count: 1 }]);

    const body = repeatedClick(code, randomUUID());
    await stack.send(body, body);
    await expect.poll(readTotal, wait).toBe(before + 2);
    await expect.poll(stack.countWaiting, wait).toBe(0);
    expect((await stack.openLink(code)).status).toBe(302);
    await expect.poll(readTotal, wait).toBe(before + 3);
    const totals = new Set(await page.evaluate<number[]>('totals'));
    expect([...totals]).toEqual([1, 2, 3].map((clicks) => before + clicks));
    expect(owner.problems).toEqual([]);
    expect(visitor.problems).toEqual([]);
  },
);

const listServers = async () => {
  const { api, liveUrl, token, sqsEndpoint, eventsEndpoint } = stack.outputs;
  const log = await readFile(stack.logFile, 'utf8');
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

// foreign-requests.test.ts tries more requests.
test("a website in a browser on the same machine cannot reach the stack's servers", async () => {
  for (const [name, url] of Object.entries(await listServers())) {
    const { port } = new URL(url);
    const origin = 'http://evil.example';
    const attempts: [method: string, headers: Record<string, string>][] = [
      ['POST', { origin, 'content-type': 'text/plain' }],
      ['GET', { host: `evil.example:${port}` }],
    ];

    const answers = await Promise.all(attempts.map((attempt) => ask(url, ...attempt)));

    expect(answers, name).toEqual(attempts.map(() => [403]));
  }
});

// The last, because the functions load again after it.
test('200 clicks, each sent three times while the functions crash, count 200, and the live page reconnects', async () => {
  const code = await stack.createLink();
  const watcher = await watch(code);
  await expect.poll(watcher.readClicks, wait).toBe(0);
  const programs = await findPrograms('LOCAL_STACK_TEST', stackId);
  const functions = programs.find(({ commandLine }) => /^\S*node .*offline/.test(commandLine));
  const bodies = Array.from({ length: 200 }, () => repeatedClick(code, randomUUID()));

  await Promise.all([1, 2, 3].map(() => stack.send(...bodies)));
  await expect.poll(watcher.readClicks, wait).toBeGreaterThan(1);
  process.kill(functions?.pid ?? 0, 'SIGKILL');

  await expect.poll(watcher.closeCode, wait).toBe(1006);
  await expect.poll(stack.countWaiting, wait).toBe(0);
  const days = [{ date: repeatedClickDay, count: 200, people: 0, bots: 0 }];
  expect(await stack.readStats(code)).toMatchObject({ clicks: 200, days });
  expect(listErrors()).toContain('The functions ended unexpectedly; restarting them.');
  const again = await watch(code);
  await expect.poll(again.readClicks, wait).toBe(200);
});

/** Connects as the live page does, watches a link, and checks each message against its schema. */
async function watch(code: string) {
  const socket = new WebSocket(stack.outputs.liveUrl, ['click-tally', stack.outputs.token]);
  onTestFinished(() => socket.terminate());
  const messages: ServerMessage[] = [];
  socket.on('message', (data) => messages.push(serverMessageSchema.parse(JSON.parse(`${data}`))));
  let closeCode: number | undefined;
  socket.once('close', (code) => {
    closeCode = code;
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ action: 'watch', codes: [code] }));
  const readClicks = () => {
    const links: { clicks?: number }[] = messages.flatMap((message) =>
      'links' in message ? [...message.links] : [],
    );
    return links.findLast(({ clicks }) => clicks !== undefined)?.clicks;
  };
  return { readClicks, closeCode: () => closeCode };
}

/** The status with which a connection is rejected, or undefined if it opens. */
async function readRejection(token: string, origin?: string): Promise<number | undefined> {
  const socket = new WebSocket(stack.outputs.liveUrl, ['click-tally', token], { origin });
  onTestFinished(() => socket.terminate());
  const rejection = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode);
  return await Promise.race([rejection, once(socket, 'open').then(() => undefined)]);
}
