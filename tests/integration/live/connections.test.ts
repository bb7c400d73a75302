import { beforeEach, describe, expect, test } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { unwatchLinks, watchLinks } from '../../../lib/live/watches.ts';
import type { WebSocketEvent } from '../../../lib/live/web-socket.ts';
import { useApi } from '../../helpers/api.ts';
import { useClock } from '../../helpers/clock.ts';
import { useConnections } from '../../helpers/connections.ts';
import { link } from '../../helpers/items.ts';
import { useModule } from '../../helpers/test-table.ts';

const connections = useConnections();
const roles = ['OpenConnection', 'WatchLinks', 'CloseConnection'];
const { table, access, output } = useApi(roles, { CONNECTIONS_PER_USER: '10' });
const opening = useModule(() => import('../../../functions/open-connection.ts'));
const closing = useModule(() => import('../../../functions/close-connection.ts'));
const messages = useModule(() => import('../../../functions/watch-links.ts'));

const { startMs, passSeconds } = useClock('2026-11-22T07:00:00Z');
const start = startMs / 1_000;

// Each test has all of Ada's ten connections.
beforeEach(() => table.put({ PK: 'CONNECTIONS#ada', SK: 'CONNECTIONS', ttl: start }));

const event = (connectionId: string, parts: object = {}) =>
  ({ requestContext: { connectionId, ...parts } }) as WebSocketEvent;
const close = (id: string) => closing.handler(event(id), makeContext());
const say = (id: string, message: object) =>
  messages.handler({ ...event(id), body: JSON.stringify(message) }, makeContext());
const ping = (id: string) => say(id, { action: 'ping' });
const watch = (id: string, ...codes: string[]) => say(id, { action: 'watch', codes });

/**
 * Opens a user's connection, whose token expires an hour after the start. Retries timeouts of the
 * table, which a busy machine causes.
 */
async function open(id: string, owner = 'ada', expiresAt = start + 3_600) {
  // API Gateway turns an authorizer's values into strings.
  const authorizer = { principalId: owner, sub: owner, expiresAt: `${expiresAt}` };
  return opening.handler(event(id, { authorizer }), makeContext());
}

const connectionOf = (id: string) => table.get(`CONNECTION#${id}`, 'CONNECTION');
const watchOf = (code: string, id: string) => table.get(`WATCH#${code}`, `CONNECTION#${id}`);
const listOf = (owner: string) => table.get(`CONNECTIONS#${owner}`, 'CONNECTIONS');
const own = (code: string, clicks = 0, owner = 'ada') => ({ ...link(code, clicks), owner });
const totals = (code: string, clicks: number) => ({ code, clicks, people: 0, bots: 0 });
const numbered = (name: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `${name}-${from + index}`);

const ended = 'The connection has ended. Reconnect with a valid token.';

describe('opening a connection', () => {
  test("answers with the subprotocol, and ends with the token or after API Gateway's two hours", async () => {
    const headers = { 'Sec-WebSocket-Protocol': 'click-tally' };

    expect(await open('short-token', 'ada', start + 60)).toEqual({
      statusCode: 200,
      headers,
    });
    await open('long-token', 'ada', start + 86_400);

    expect(await connectionOf('short-token')).toMatchObject({ owner: 'ada', ttl: start + 60 });
    expect(await connectionOf('long-token')).toMatchObject({ ttl: start + 7_200 });
  });
});

describe('watching', () => {
  test("answers with the links' totals, and adds watches that end with the token", async () => {
    await table.put({ ...own('docs', 12), vh: 7, vb: 4 }, own('blog', 7));
    await open('watcher');

    await watch('watcher', 'docs', 'blog');

    const links = [{ code: 'docs', clicks: 12, people: 7, bots: 4 }, totals('blog', 7)];
    expect(connections.messagesTo('watcher')).toEqual([{ type: 'watching', links, refused: [] }]);
    expect(await watchOf('docs', 'watcher')).toMatchObject({ owner: 'ada', ttl: start + 3_600 });
    expect(await connectionOf('watcher')).toMatchObject({ codes: new Set(['docs', 'blog']) });
  });

  test("is rejected in the same way for an unknown link and another user's link", async () => {
    await table.put(own('mine', 1), own('hers', 2, 'grace'), link('everybodys', 3));
    await open('curious');

    await watch('curious', 'hers', 'none', 'mine', 'everybodys');
    await watch('curious', 'hers');

    const links = [totals('mine', 1), totals('everybodys', 3)];
    expect(connections.messagesTo('curious')).toEqual([
      { type: 'watching', links, refused: ['hers', 'none'] },
      { type: 'watching', links: [], refused: ['hers'] },
    ]);
    expect(await watchOf('hers', 'curious')).toBeUndefined();
    expect(await watchOf('none', 'curious')).toBeUndefined();
  });

  test('is limited to 100 links, exceeding that changes nothing, and unwatching makes room', async () => {
    const codes = numbered('code', 101);
    await table.put(...codes.map((code) => own(code)));
    await open('greedy');
    for (const from of [0, 25, 50, 75]) await watch('greedy', ...codes.slice(from, from + 25));

    await watch('greedy', ...codes.slice(76, 101));

    const message =
      'expected at most 100 watched links; the connection watches 100, and 1 more were requested. ' +
      'Unwatch some first.';
    expect(connections.messagesTo('greedy').at(-1)).toEqual({ type: 'error', message });
    expect((await connectionOf('greedy'))?.codes).toHaveProperty('size', 100);
    expect(await watchOf('code-100', 'greedy')).toBeUndefined();

    await say('greedy', { action: 'unwatch', codes: ['code-0', 'never-watched'] });
    await watch('greedy', 'code-100');

    expect(connections.messagesTo('greedy').at(-1)).toMatchObject({ type: 'watching' });
    expect(await watchOf('code-0', 'greedy')).toBeUndefined();
  });
});

describe('a message', () => {
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
    await table.put({ ...(await connectionOf('chatty')), messages: 59 });
    for (let pings = 0; pings < 3; pings += 1) await ping('chatty');

    const message = 'expected at most 60 messages a minute; got more. Reconnect later.';
    const received = [{ type: 'pong' }, { type: 'error', message }];
    expect(connections.messagesTo('chatty')).toEqual(received);
    expect(connections.closed).toEqual(['chatty', 'chatty']);
  });
});

test('closing a connection removes it and only its own watches', async () => {
  const codes = numbered('closed', 30);
  await table.put(...codes.map((code) => own(code)));
  for (const id of ['closing', 'staying']) {
    await open(id);
    for (const from of [0, 15]) await watch(id, ...codes.slice(from, from + 15));
  }

  await close('closing');

  expect(await connectionOf('closing')).toBeUndefined();
  for (const code of codes) expect(await watchOf(code, 'closing')).toBeUndefined();
  expect(await watchOf('closed-0', 'staying')).toBeDefined();
  // The log has neither the users who connect nor the links that they watch.
  expect(output.lines()).toEqual([]);
});

test('a connection that is unknown, or closes while its message is processed, is neither stored nor watches', async () => {
  await table.put(own('missed', 1), {
    PK: 'CONNECTION#odd',
    SK: 'CONNECTION',
    owner: 'odd',
    ttl: start + 60,
  });
  const gone = { id: 'gone', owner: 'ada', ttl: start + 60, minute: 0, messages: 1 };

  await ping('gone');
  const answer = await watchLinks(access.table, gone, ['missed']);
  await unwatchLinks(access.table, 'gone', ['missed']);
  await close('odd');

  expect(connections.closed).toEqual(['gone']);
  expect(answer).toBeUndefined();
  expect(await watchOf('missed', 'gone')).toBeUndefined();
  expect(await connectionOf('gone')).toBeUndefined();
  // It would never expire.
  expect(await listOf('odd')).toBeUndefined();
});

describe('of a user, at most ten connections open', () => {
  /** Opens connections concurrently and counts the statuses. */
  async function openAll(owner: string, ids: string[]) {
    const statuses = await Promise.all(
      ids.map(async (id) => ((await open(id, owner)) as { statusCode: number }).statusCode),
    );
    return Object.fromEntries(
      [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
    );
  }

  test('even if 30 come at once', async () => {
    expect(await openAll('many', numbered('many', 30))).toEqual({ 200: 10, 429: 20 });

    const list = await listOf('many');
    expect(list).toMatchObject({ ttl: start + 7_200, ids: { size: 10 } });
    const rejected = output.logged().filter(({ message }) => message === 'too many connections');
    expect(rejected).toHaveLength(20);
  });

  test('until one is gone', async () => {
    await openAll('ann', numbered('ann', 10));
    connections.rejections.set('ann-3', 410);

    await ping('ann-3');
    await close('ann-4');
    // API Gateway may report it twice.
    await close('ann-4');

    expect(await openAll('ann', numbered('ann', 3, 10))).toEqual({ 200: 2, 429: 1 });
  });

  test('until they have been silent for six minutes, which also removes their watches', async () => {
    await table.put(own('spring', 0, 'cyd'));
    await openAll('cyd', numbered('cyd', 10));
    await watch('cyd-0', 'spring');

    passSeconds(5 * 60);
    await ping('cyd-9');
    passSeconds(6 * 60);

    // Only the connection that pinged is still open.
    expect(await openAll('cyd', numbered('cyd', 10, 10))).toEqual({ 200: 9, 429: 1 });
    expect(await connectionOf('cyd-0')).toBeUndefined();
    expect(await watchOf('spring', 'cyd-0')).toBeUndefined();
  });
});
