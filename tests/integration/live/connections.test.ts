import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { start, useWebSocketApi } from '../../helpers/web-socket-api.ts';

const api = useWebSocketApi();
const { connections, table, passSeconds, close, say, connectionOf, watchOf } = api;
const output = useOutput();

let access: typeof import('../../../lib/dynamodb/table.ts').table;
let watchLinks: typeof import('../../../lib/live/watches.ts').watchLinks;
let unwatchLinks: typeof import('../../../lib/live/watches.ts').unwatchLinks;

beforeAll(async () => {
  ({ watchLinks, unwatchLinks } = await import('../../../lib/live/watches.ts'));
  access = (await import('../../../lib/dynamodb/table.ts')).table;
});

afterEach(() => vi.restoreAllMocks());

/** Opens Ada's connection, whose token expires an hour after the start. */
async function open(connectionId: string, owner = 'ada', expiresAt = start + 3_600) {
  passSeconds(0);
  // API Gateway turns an authorizer's values into strings.
  const authorizer = { principalId: owner, sub: owner, expiresAt: `${expiresAt}` };
  return api.open(connectionId, { authorizer });
}

const watch = (connectionId: string, ...codes: string[]) =>
  say(connectionId, { action: 'watch', codes });

const own = (code: string, clicks = 0, owner = 'ada') => ({ ...link(code, clicks), owner });

const numberedCodes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `code-${from + index}`);

const ended = 'The connection has ended. Reconnect with a valid token.';

describe('opening a connection', () => {
  test("answers with the subprotocol, and ends with the token or after API Gateway's two hours", async () => {
    const headers = { 'Sec-WebSocket-Protocol': 'click-tally' };

    expect(await open('short-token', 'ada', start + 60)).toEqual({ statusCode: 200, headers });
    await open('long-token', 'ada', start + 86_400);

    expect(await connectionOf('short-token')).toMatchObject({ owner: 'ada', ttl: start + 60 });
    expect(await connectionOf('long-token')).toMatchObject({ ttl: start + 7_200 });
  });

  test('fails if no authorizer has checked the token', async () => {
    const route = '$connect';

    expect(await api.open('unchecked', { routeKey: route })).toEqual({ statusCode: 500 });

    expect(await connectionOf('unchecked')).toBeUndefined();
    const error = { message: expect.stringContaining('authorizer') };
    const message = 'A connection event failed.';
    expect(output.logged()).toMatchObject([{ message, route, error }]);
  });
});

describe('watching', () => {
  test("answers with the links' totals, and adds watches that end with the token", async () => {
    await table.put({ ...own('docs', 12), vh: 7, vb: 4 }, own('blog', 7));
    await open('watcher');

    await watch('watcher', 'docs', 'blog');

    const links = [
      { code: 'docs', clicks: 12, people: 7, bots: 4 },
      { code: 'blog', clicks: 7, people: 0, bots: 0 },
    ];
    expect(connections.messagesTo('watcher')).toEqual([{ type: 'watching', links, refused: [] }]);
    expect(await watchOf('docs', 'watcher')).toMatchObject({ owner: 'ada', ttl: start + 3_600 });
    expect(await connectionOf('watcher')).toMatchObject({ codes: new Set(['docs', 'blog']) });
  });

  test("is refused in the same way for an unknown link and another user's link", async () => {
    await table.put(own('mine', 1), own('hers', 2, 'grace'), link('everybodys', 3));
    await open('curious');

    await watch('curious', 'hers', 'none', 'mine', 'everybodys');
    await watch('curious', 'hers');

    const links = [
      { code: 'mine', clicks: 1, people: 0, bots: 0 },
      { code: 'everybodys', clicks: 3, people: 0, bots: 0 },
    ];
    expect(connections.messagesTo('curious')).toEqual([
      { type: 'watching', links, refused: ['hers', 'none'] },
      { type: 'watching', links: [], refused: ['hers'] },
    ]);
    expect(await watchOf('hers', 'curious')).toBeUndefined();
    expect(await watchOf('none', 'curious')).toBeUndefined();
  });

  test('is limited to 100 links, exceeding that changes nothing, and unwatching makes room', async () => {
    const codes = numberedCodes(0, 101);
    await table.put(...codes.map((code) => own(code)));
    await open('greedy');
    for (let from = 0; from < 100; from += 25) {
      await watch('greedy', ...codes.slice(from, from + 25));
    }

    // Links that it already watches don't count again.
    await watch('greedy', ...codes.slice(76, 101));
    await watch('greedy', ...codes.slice(75, 100));

    const messages = connections.messagesTo('greedy');
    const watching = Array(4).fill('watching');
    expect(messages.map(({ type }) => type)).toEqual([...watching, 'error', 'watching']);
    const message =
      'expected at most 100 watched links; the connection watches 100, and 1 more were requested. ' +
      'Unwatch some first.';
    expect(messages[4]).toEqual({ type: 'error', message });
    expect((await connectionOf('greedy'))?.codes).toHaveProperty('size', 100);
    expect(await watchOf('code-100', 'greedy')).toBeUndefined();

    await say('greedy', { action: 'unwatch', codes: ['code-0', 'never-watched'] });
    await watch('greedy', 'code-100');

    expect(connections.messagesTo('greedy').at(-1)).toEqual({
      ...{ type: 'watching', links: [{ code: 'code-100', clicks: 0, people: 0, bots: 0 }] },
      refused: [],
    });
    expect(await watchOf('code-0', 'greedy')).toBeUndefined();
    expect(await watchOf('code-1', 'greedy')).toBeDefined();
  });
});

describe('a message', () => {
  test('keeps its connection for another 15 minutes, but not beyond its token', async () => {
    await open('faithful');

    for (const minutes of [14, 28, 42, 56, 60]) {
      passSeconds(minutes * 60);
      await say('faithful', { action: 'ping' });
    }

    expect(connections.messagesTo('faithful')).toEqual([
      ...Array(4).fill({ type: 'pong' }),
      { type: 'error', message: ended },
    ]);
  });

  test.each([
    ['after the token has expired', 'expired', start + 60, 60],
    ['after 15 silent minutes', 'silent', start + 3_600, 15 * 60],
  ])('%s closes its connection', async (_, id, expiresAt, seconds) => {
    await table.put(own('secret', 1));
    await open(id, 'ada', expiresAt);
    passSeconds(seconds);

    await watch(id, 'secret');

    expect(connections.messagesTo(id)).toEqual([{ type: 'error', message: ended }]);
    expect(connections.closed).toEqual([id]);
    expect(await watchOf('secret', id)).toBeUndefined();
  });

  test('above the limit of 60 a minute gets one error and closes the connection', async () => {
    await open('chatty');
    await table.put({ ...(await connectionOf('chatty')), messages: 60 });
    passSeconds(60);
    await say('chatty', { action: 'ping' });
    await table.put({ ...(await connectionOf('chatty')), messages: 59 });
    await say('chatty', { action: 'ping' });
    expect(connections.closed).toEqual([]);
    await say('chatty', { action: 'ping' });

    await say('chatty', { action: 'ping' });

    const message = 'expected at most 60 messages a minute; got more. Reconnect later.';
    expect(connections.messagesTo('chatty').slice(2)).toEqual([{ type: 'error', message }]);
    expect(connections.closed).toEqual(['chatty', 'chatty']);
  });

  test('whose answer finds the connection gone removes it', async () => {
    await table.put(own('left', 1));
    await open('leaver');
    await watch('leaver', 'left');
    connections.refusals.set('leaver', 410);

    expect(await say('leaver', { action: 'ping' })).toEqual({ statusCode: 200 });

    expect(await connectionOf('leaver')).toBeUndefined();
    expect(await watchOf('left', 'leaver')).toBeUndefined();
  });
});

test('closing a connection removes it and only its own watches', async () => {
  const codes = numberedCodes(400, 430);
  await table.put(...codes.map((code) => own(code)));
  for (const id of ['closing', 'staying']) {
    await open(id);
    await watch(id, ...codes.slice(0, 25));
    await watch(id, ...codes.slice(25));
  }

  await close('closing');

  expect(await connectionOf('closing')).toBeUndefined();
  for (const code of codes) {
    expect(await watchOf(code, 'closing')).toBeUndefined();
    expect(await watchOf(code, 'staying')).toBeDefined();
  }
});

test('a connection that is unknown, or closes while its message is processed, is neither stored nor watches', async () => {
  await table.put(own('missed', 1));
  const gone = { owner: 'ada', ttl: start + 60, minute: 0, messages: 1 };

  await say('gone', { action: 'ping' });
  const answer = await watchLinks(access, { id: 'gone', connection: gone, codes: ['missed'] });
  await unwatchLinks(access, { id: 'gone', codes: ['missed'] });

  expect(connections.closed).toEqual(['gone']);
  expect(answer).toBeUndefined();
  expect(await watchOf('missed', 'gone')).toBeUndefined();
  expect(await connectionOf('gone')).toBeUndefined();
});

test('the log has neither the users who connect nor the links that they watch', async () => {
  await table.put(own('private', 1));
  await open('quiet', 'user-1234');
  await watch('quiet', 'private');
  await close('quiet');

  expect(output.lines()).toEqual([]);
});
