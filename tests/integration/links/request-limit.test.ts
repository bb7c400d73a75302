import { describe, expect, test } from 'vitest';
import { routes } from '../../../generate/openapi/routes.ts';
import { useApi } from '../../helpers/api.ts';
import { useClock } from '../../helpers/clock.ts';
import { serviceError } from '../../helpers/faults.ts';

const limit = 5;
const unreachable = 'http://localhost:1/000000000000/queue';
const variables = {
  REQUESTS_PER_USER_PER_MINUTE: `${limit}`,
  CLICK_QUEUES: '1',
  CLICK_QUEUE_URL: unreachable,
  CLICK_DLQ_URL: unreachable,
  CLICK_RULE_DLQ_URL: unreachable,
};
const links = ['CreateLink', 'ImportLinks', 'ListLinks', 'UpdateLink', 'DeleteLink'];
const roles = [...links, 'GetLinkStats', 'GetBacklog', 'ManageKeys'];
const { table, faults, output, send } = useApi(roles, variables);
const { startMs, passSeconds } = useClock('2026-11-22T07:00:15Z');
const minute = Math.floor(startMs / 60_000);

/** Every route that needs a token, by the API document. */
const ownerRoutes = routes
  .filter(({ isPublic, takesKey }) => !(isPublic || takesKey))
  .map(({ routeKey }) => routeKey.replace(/{\w+}/, 'spring'));

const list = async (caller: string) => (await send(caller, 'GET /links')).statusCode;

const readCount = (caller: string) => table.get(`REQUESTS#${caller}`, `${minute}`);

test.each(ownerRoutes)("a route rejects a parameter that it doesn't have: %s", async (route) => {
  const { statusCode, body } = await send(`curious ${route}`, `${route}?page=2`);

  expect(statusCode).toBe(400);
  expect(body.message).toContain('page');
});

test.each(ownerRoutes)(
  'a route counts requests and rejects those above the limit: %s',
  async (route) => {
    const seldom = `seldom ${route}`;
    const often = `often ${route}`;
    const counted = { requests: limit, ttl: (minute + 2) * 60 };
    await table.put({ PK: `REQUESTS#${often}`, SK: `${minute}`, ...counted });

    const first = await send(seldom, route);
    const rejected = await send(often, route);

    expect(first.statusCode).not.toBe(429);
    expect(await readCount(seldom)).toMatchObject({ ...counted, requests: 1 });
    const message = "You've sent more than 5 requests in a minute. Try again in 45 seconds.";
    expect(rejected).toMatchObject({ statusCode: 429, headers: { 'retry-after': '45' } });
    expect(rejected.body).toEqual({ message });
  },
);

describe("a user's request limit", () => {
  test('is exact under concurrent requests, and does not affect other users', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => list('busy')));

    expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    expect(await list('other')).toBe(200);
  });

  test('takes no more writes once it is exceeded, and resets every minute', async () => {
    for (let requests = 0; requests < 10; requests += 1) await list('stubborn');
    const before = await list('stubborn');

    passSeconds(45);

    expect(before).toBe(429);
    expect(await list('stubborn')).toBe(200);
    expect(await readCount('stubborn')).toMatchObject({ requests: limit + 1 });
  });

  test('does not apply while requests cannot be counted, and the warning does not name the user', async () => {
    // Unlike throttling, it isn't retried.
    faults.set('UpdateItem', { before: () => serviceError('AccessDeniedException', 400) });

    expect(await list('unseen-user')).toBe(200);
    const warnings = output.lines().filter(({ level }) => level === 'WARN');
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('unseen-user');
  });
});
