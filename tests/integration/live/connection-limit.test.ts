import { describe, expect, test } from 'vitest';
import { link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { start, useWebSocketApi } from '../../helpers/web-socket-api.ts';

const api = useWebSocketApi({ CONNECTIONS_PER_USER: '10' });
const { connections, table, passSeconds, say, connectionOf, watchOf } = api;
const output = useOutput();

/** Opens a connection and returns its status. Retries timeouts of the table, which a busy machine causes. */
async function open(owner: string, id: string, triesLeft = 20): Promise<number> {
  const authorizer = { sub: owner, expiresAt: `${start + 3_600}` };
  const { statusCode } = (await api.open(id, { authorizer })) as { statusCode: number };
  return statusCode === 500 && triesLeft > 0 ? open(owner, id, triesLeft - 1) : statusCode;
}

const names = (owner: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `${owner}-${from + index}`);

/** Opens connections concurrently and counts the statuses. */
async function openAll(owner: string, ids: string[]) {
  const statuses = await Promise.all(ids.map((id) => open(owner, id)));
  return Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
  );
}

const listOf = (owner: string) => table.get(`CONNECTIONS#${owner}`, 'CONNECTIONS');

test('exactly ten of 30 concurrent connections of a user open', async () => {
  passSeconds(0);
  const ids = names('greedy', 30);

  expect(await openAll('greedy', ids)).toEqual({ 200: 10, 429: 20 });

  // A busy engine may store a rejected connection after its removal. It has no slot.
  const list = await listOf('greedy');
  expect(list).toMatchObject({ ttl: start + 7_200, ids: { size: 10 } });
  const stored = await Promise.all([...(list?.ids ?? [])].map(connectionOf));
  expect(stored).not.toContain(undefined);
  const refused = output.metrics().map(({ RefusedConnections }) => RefusedConnections);
  expect(refused.filter((count) => count === 1)).toHaveLength(20);
  expect(await open('modest', 'modest')).toBe(200);
});

test('removing a connection does not create a list without an expiry', async () => {
  await table.put({ PK: 'CONNECTION#odd', SK: 'CONNECTION', owner: 'odd', ttl: start + 60 });

  await api.close('odd');

  expect(await listOf('odd')).toBeUndefined();
});

describe('a connection makes room for another', () => {
  test.each([
    ['by closing', 'ann', api.close],
    [
      'by being gone when an answer is sent',
      'ben',
      (id: string) => {
        connections.refusals.set(id, 410);
        return say(id, { action: 'ping' });
      },
    ],
  ])('%s', async (_, owner, end) => {
    passSeconds(0);
    await openAll(owner, names(owner, 10));

    await end(`${owner}-3`);
    // API Gateway may report it twice.
    await api.close(`${owner}-3`);

    expect(await openAll(owner, names(owner, 3, 10))).toEqual({ 200: 1, 429: 2 });
  });

  test('by being silent for six minutes, which also removes its watches', async () => {
    await table.put({ ...link('spring'), owner: 'cyd' });
    passSeconds(0);
    await openAll('cyd', names('cyd', 10));
    await say('cyd-0', { action: 'watch', codes: ['spring'] });

    passSeconds(5 * 60);
    const afterFive = await open('cyd', 'too-soon');
    await say('cyd-9', { action: 'ping' });
    passSeconds(6 * 60);

    expect([afterFive, await open('cyd', 'late')]).toEqual([429, 200]);
    expect(await connectionOf('cyd-0')).toBeUndefined();
    expect(await watchOf('spring', 'cyd-0')).toBeUndefined();
    // Only the connection that pinged is still open.
    expect(await openAll('cyd', names('cyd', 9, 10))).toEqual({ 200: 8, 429: 1 });
    expect(await connectionOf('cyd-9')).toBeDefined();
  });

  test('if its item is gone but it is still listed', async () => {
    passSeconds(0);
    const ids = new Set(names('dee', 10));
    await table.put({ PK: 'CONNECTIONS#dee', SK: 'CONNECTIONS', ids, ttl: start + 60 });

    expect(await openAll('dee', names('dee', 12, 10))).toEqual({ 200: 10, 429: 2 });
  });
});
