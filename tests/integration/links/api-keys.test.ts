import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { mintKey } from '../../../lib/api-keys/api-key.ts';
import { revokeAllKeys, revokeKey } from '../../../lib/api-keys/api-keys.ts';
import type { CreatedKey, NewKey } from '../../../lib/api-keys/key-schemas.ts';
import { useApi } from '../../helpers/api.ts';
import { useClock } from '../../helpers/clock.ts';
import type { Fault } from '../../helpers/faults.ts';

const roles = ['ManageKeys', 'CreateLink', 'ListLinks', 'UpdateLink'];
const { table, faults, requests, output, send } = useApi(roles);

const { startMs, passSeconds } = useClock('2026-11-22T07:30:00Z');
const daySeconds = 24 * 60 * 60;

/** A user whom no other test has. */
const newUser = () => randomUUID();

const newKey: NewKey = { name: 'backup', scope: 'write', expiresInDays: 90 };
const create = (user: string, key: Partial<NewKey> = {}) =>
  send(user, 'POST /api/keys', { body: { ...newKey, ...key } });
const mint = async (user: string, key?: Partial<NewKey>): Promise<CreatedKey> =>
  (await create(user, key)).body;
const listKeys = async (user: string) => (await send(user, 'GET /api/keys')).body.keys;
const revoke = (user: string, id: string) => send(user, `DELETE /api/keys/${id}`);

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
/** Lists links as a program does. The caller of a token doesn't count. */
const list = (parts: object) => send('mallory', 'GET /api/links', parts);
const statusOf = async (key: string) => (await list(bearer(key))).statusCode;
const createLink = (key: string, code: string) => {
  const body = { url: 'https://example.com/', code };
  return send('mallory', 'POST /api/links', { ...bearer(key), body });
};
const disable = (key: string, code: string) => {
  const body = { disabled: true };
  return send('mallory', `PATCH /api/links/${code}`, { ...bearer(key), body });
};

describe('a key', () => {
  test('acts for its user, and is shown only once', async () => {
    const user = newUser();
    const { key, ...others } = await mint(user);

    expect((await createLink(key, 'of-a-key')).statusCode).toBe(201);
    expect((await list(bearer(key))).body.links).toMatchObject([{ code: 'of-a-key' }]);
    expect((await disable(key, 'of-a-key')).body).toMatchObject({ disabled: true });
    expect(await table.get('LINK#of-a-key', 'META')).toMatchObject({ owner: user });
    expect(await listKeys(user)).toEqual([{ ...others, lastUsedAt: '2026-11-22T07:00:00.000Z' }]);
    expect(JSON.stringify(await table.get(`KEY#${others.id}`, 'KEY'))).not.toContain(key);
  });

  test('that may only read can list links, and changes nothing', async () => {
    const user = newUser();
    const { key: writer } = await mint(user);
    const { key } = await mint(user, { name: 'report', scope: 'read' });
    await createLink(writer, 'read-only');

    const message = 'This API key may only read. Use one that may write.';
    expect(await statusOf(key)).toBe(200);
    expect(await createLink(key, 'written')).toMatchObject({ statusCode: 403, body: { message } });
    expect(await disable(key, 'read-only')).toMatchObject({ statusCode: 403, body: { message } });
    expect(await table.get('LINK#written', 'META')).toBeUndefined();
    expect(await table.get('LINK#read-only', 'META')).not.toHaveProperty('disabled');
  });

  test('of a user has the limits of that user', async () => {
    const user = newUser();
    const { key } = await mint(user);
    const day = { PK: `OWNER#${user}`, SK: 'LINKS#2026-11-22', links: 1_000, ttl: 1 };
    await table.put(day);

    expect((await createLink(key, 'too-many')).statusCode).toBe(429);
    expect((await table.get(`REQUESTS#${user}`, `${startMs / 60_000}`))?.requests).toBe(2);
  });
});

describe('a request is rejected with one answer', () => {
  const rejects = async (parts: object) =>
    expect(await list(parts)).toEqual(await list({ headers: {} }));

  test('if its key is malformed, and then it reads nothing', async () => {
    const { key } = await mint(newUser());
    requests.length = 0;
    const typo = key.slice(0, -7) + (key.at(-7) === 'a' ? 'b' : 'a') + key.slice(-6);

    const unauthorized = { statusCode: 401, headers: { 'www-authenticate': 'Bearer' } };
    expect(await list({ headers: {} })).toMatchObject(unauthorized);
    for (const text of [typo, key.toUpperCase(), `${key}\n`, '']) await rejects(bearer(text));
    for (const authorization of [key, `Basic ${key}`, `Bearer ${key}, Bearer ${key}`]) {
      await rejects({ headers: { authorization } });
    }
    await rejects({ headers: { 'x-api-key': key, cookie: `key=${key}` } });
    await rejects({ headers: {}, queryStringParameters: { key, access_token: key } });
    expect(requests).toEqual([]);
  });

  test('if its key is unknown or has another secret, and then it reads once in 30 seconds', async () => {
    const { key, id } = await mint(newUser());
    const unknown = mintKey().key;
    const forged = mintKey(id + 'x'.repeat(30)).key;
    requests.length = 0;

    for (const text of [unknown, unknown, forged, forged]) await rejects(bearer(text));
    expect(requests).toEqual(['GetItem', 'GetItem']);
    expect(await statusOf(key)).toBe(200);
  });

  test('if its key has expired, at that second', async () => {
    const { key } = await mint(newUser(), { expiresInDays: 1 });

    passSeconds(daySeconds - 1);
    expect(await statusOf(key)).toBe(200);
    passSeconds(daySeconds);
    await rejects(bearer(key));
  });

  test('if its key was revoked 30 seconds ago, even if another one has its name', async () => {
    const user = newUser();
    const { key, id } = await mint(user);
    await statusOf(key);

    passSeconds(1);
    expect((await revoke(user, id)).body).toEqual({ id });
    expect((await mint(user)).key).not.toBe(key);
    passSeconds(30);
    expect(await statusOf(key)).toBe(200);
    passSeconds(31);
    await rejects(bearer(key));
    expect(await table.get(`KEY#${id}`, 'KEY')).toBeUndefined();
  });
});

describe('the cache of keys', () => {
  test('outlives an outage of the table, in which other keys fail but are not rejected', async () => {
    const known = await mint(newUser());
    const other = await mint(newUser());
    await statusOf(known.key);
    faults.set('GetItem', { before: () => new Error('the table is down') });

    expect(await statusOf(known.key)).toBe(200);
    expect(await statusOf(other.key)).toBe(500);
    faults.clear();
    expect(await statusOf(other.key)).toBe(200);
  });
});

test('the latest use is stored once an hour, and failing to store it rejects nothing', async () => {
  const user = newUser();
  const { key, id } = await mint(user);
  const lastUse = async () => (await table.get(`KEY#${id}`, 'KEY'))?.lastUsedAt;
  requests.length = 0;

  for (const seconds of [0, 1_799]) {
    passSeconds(seconds);
    expect(await statusOf(key)).toBe(200);
  }
  // The first update stores the use, and the others count the requests.
  expect(requests.join(' ')).toBe('GetItem UpdateItem UpdateItem Query GetItem UpdateItem Query');
  passSeconds(1_800);
  faults.set('UpdateItem', { before: () => new Error('throttled') });
  expect(await statusOf(key)).toBe(200);
  expect(await lastUse()).toBe('2026-11-22T07:00:00.000Z');
});

describe('managing keys', () => {
  test('is for people who have signed in: a key cannot list, create or revoke keys', async () => {
    const { key, id } = await mint(newUser());
    const requestContext = { http: { method: 'POST' } } as never;
    const parts = { ...bearer(key), body: newKey, requestContext };

    const answer = await send('mallory', 'POST /api/keys', parts);

    expect(answer).toMatchObject({ statusCode: 401, body: { message: 'Unauthorized' } });
    expect(await table.get(`KEY#${id}`, 'KEY')).toBeDefined();
  });

  test("rejects a second key with a valid key's name, even at the same time", async () => {
    const user = newUser();
    const statuses = await Promise.all([1, 2, 3].map(async () => (await create(user)).statusCode));
    const message =
      'You already have an API key with this name. Revoke it, or choose another name.';

    expect(statuses.toSorted()).toEqual([201, 409, 409]);
    expect((await create(user)).body).toEqual({ message, fields: { name: message } });
    passSeconds(90 * daySeconds);
    expect((await create(user)).statusCode).toBe(201);
  });

  test('rejects an eleventh key until one is revoked, and lists the newest first', async () => {
    const user = newUser();
    for (let second = 0; second < 10; second += 1) {
      passSeconds(second);
      await mint(user, { name: `key ${second}` });
    }

    const message = 'You already have 10 API keys. Revoke one first.';
    expect(await create(user)).toMatchObject({ statusCode: 409, body: { message } });
    const [newest, ...others] = await listKeys(user);
    expect(newest.name).toBe('key 9');
    expect(others.length).toBe(9);
    await revoke(user, newest.id);
    expect((await create(user)).statusCode).toBe(201);
  });

  test('rejects an eleventh key, even if two requests see nine', async () => {
    const user = newUser();
    for (let key = 1; key <= 9; key += 1) await mint(user, { name: `key ${key}` });

    const both = [create(user, { name: 'tenth' }), create(user, { name: 'eleventh' })];

    const statuses = (await Promise.all(both)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([201, 409]);
    expect(await listKeys(user)).toHaveLength(10);
  });

  test.each([
    ['a long name', { name: 'n'.repeat(51) }, 'Enter a name of 1 to 50 letters'],
    ['a name that reverses the line', { name: 'a\u202eb' }, 'Enter a name of 1 to 50 letters'],
    ['another scope', { scope: 'admin' as 'read' }, 'expected "scope" to be read or write'],
    ['a late expiry', { expiresInDays: 367 }, 'expected "expiresInDays" to be a whole number'],
  ])('rejects %s', async (_, key, message) => {
    const answer = await create(newUser(), key);

    expect(answer.statusCode).toBe(400);
    expect(answer.body.message).toContain(message);
  });

  test("does not revoke another user's key", async () => {
    const { key, id } = await mint(newUser());

    expect((await revoke(newUser(), id)).statusCode).toBe(404);
    expect((await revoke(newUser(), 'no-key')).statusCode).toBe(404);
    expect(await statusOf(key)).toBe(200);
  });
});

test("a removed user's keys are revoked, and the last token cannot create others", async () => {
  const user = newUser();
  const { key } = await mint(user);
  await mint(user, { name: 'other' });
  await statusOf(key);

  // An operator has no function's role.
  const operator = { client: table.database, tableName: table.tableName };
  expect(await revokeAllKeys(operator, user)).toBe(2);
  expect((await create(user, { name: 'late' })).statusCode).toBe(403);
  expect(await revokeAllKeys(operator, newUser())).toBe(0);
  passSeconds(31);
  expect(await statusOf(key)).toBe(401);
});

test('a user who is removed while creating another key does not get it', async () => {
  const user = newUser();
  await mint(user);
  const operator = { client: table.database, tableName: table.tableName };
  const fault: Fault = {
    before: async () => {
      await revokeAllKeys(operator, user);
      return undefined;
    },
  };
  faults.set('TransactWriteItems', fault);

  expect((await create(user, { name: 'late' })).statusCode).toBe(403);
});

test('a key that is revoked while its use is stored does not come back', async () => {
  const user = newUser();
  const { key, id } = await mint(user);
  const fault: Fault = {
    before: async () => {
      await revokeKey({ client: table.database, tableName: table.tableName }, user, id);
      return undefined;
    },
  };
  faults.set('UpdateItem', fault);

  await statusOf(key);

  expect(await table.get(`KEY#${id}`, 'KEY')).toBeUndefined();
});

test('logs have the id of a key, and only in its own requests', async () => {
  const user = newUser();
  const { key, id } = await mint(user);
  await list(bearer(key));
  await list(bearer(mintKey().key));
  await send(user, 'GET /links');
  await revoke(user, id);

  expect(output.lines()).toMatchObject([
    { message: 'key audit', action: 'created', sub: user, id },
    { message: 'link audit', action: 'listed', sub: user, apiKey: id },
    { message: 'link audit', action: 'listed', sub: user },
    { message: 'key audit', action: 'revoked', sub: user, id },
  ]);
  expect(output.lines()[2]).not.toHaveProperty('apiKey');
  expect(JSON.stringify(output.lines())).not.toContain(key.slice(-36));
});
