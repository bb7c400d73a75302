import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { LinkCounts } from '../../../lib/live/messages.ts';
import type { PushTarget } from '../../../lib/live/push.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';
import { timeoutInTime } from '../../helpers/unhurried.ts';

const table = useTable({}, ['PushCounts']);
const output = useOutput();
const end = 4_000_000_000;
let createPush: typeof import('../../../lib/live/push.ts').createPush;
let access: PushTarget['table'];
let nowMs = 0;
/** The sends, in order: each began, then arrived or was given up. */
let events: string[] = [];

beforeAll(async () => {
  AbortSignal.timeout = timeoutInTime;
  ({ createPush } = await import('../../../lib/live/push.ts'));
  ({ table: access } = await import('../../../lib/dynamodb/table.ts'));
  await table.put({ PK: 'CONNECTIONS', SK: 'CONNECTIONS', ttl: end });
});

beforeEach(() => {
  nowMs = 0;
  events = [];
});

/** Starts push-counts with connections that hang if their id starts with `slow`. A send takes `sendMs`. */
const startPush = (sendMs = 0) =>
  createPush({
    table: access,
    connections: {
      send: async (id, _message, abortSignal) => {
        nowMs += sendMs;
        events.push(`${id} began`);
        if (!id.startsWith('slow')) {
          events.push(`${id} arrived`);
          return 'sent';
        }
        return new Promise((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => {
            events.push(`${id} given up`);
            reject(abortSignal.reason);
          });
        });
      },
      close: async () => {},
    },
    now: () => nowMs,
  });

const watches = (code: string, owner: string, ids: string[]) =>
  table.put(...ids.map((id) => ({ PK: `WATCH#${code}`, SK: `CONNECTION#${id}`, owner, ttl: end })));

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);

const changed = (...codes: string[]): Map<string, LinkCounts> =>
  new Map(codes.map((code) => [code, { code, clicks: 1, days: [] }]));

const arrived = () =>
  events.flatMap((event) => (event.endsWith(' arrived') ? event.replace(' arrived', '') : []));

test.each([
  ['another link', 'greedy', 'modest'],
  ['the same link, which has no owner', 'shared', 'shared'],
])(
  "sixty hanging connections of one user do not delay another user's connection that watches %s",
  async (_, greedy, modest) => {
    await watches(greedy, 'mallory', numbered(`slow-${greedy}`, 60));
    await watches(modest, 'ada', ['zoe']);

    await startPush()(changed(greedy, modest));

    // It arrives in the first push, while every slow send is in progress.
    const before = events.slice(0, events.indexOf('zoe arrived'));
    expect(before).toContain('zoe began');
    expect(before.filter((event) => event.endsWith('given up'))).toEqual([]);
    expect(events.filter((event) => event.endsWith('given up'))).toHaveLength(60);
  },
);

test("a push visits at most 200 of a link's watchers, and the next push continues with the others", async () => {
  const ids = numbered('page', 450);
  await watches('popular', 'everybody', ids);
  await watches('quiet', 'ada', ['ada']);
  const push = startPush();
  const visited: string[][] = [];

  for (let pushes = 0; pushes < 3; pushes += 1) {
    await push(changed('popular', 'quiet'));
    visited.push(arrived());
    events = [];
  }

  expect(visited.map(({ length }) => length)).toEqual([201, 201, 51]);
  expect(visited.every((all) => all.includes('ada'))).toBe(true);
  expect(new Set(visited.flat())).toEqual(new Set([...ids, 'ada']));
});

test('a push that takes too long skips connections, which get the next numbers', async () => {
  const ids = numbered('user', 100);
  for (const id of ids) await watches('slowed', id, [id]);
  // 30 sends fit into three seconds.
  const push = startPush(100);
  const visited: string[][] = [];

  for (let pushes = 0; pushes < 4; pushes += 1) {
    await push(changed('slowed'));
    visited.push(arrived());
    events = [];
  }

  expect(visited.map(({ length }) => length)).toEqual([30, 30, 30, 30]);
  expect(new Set(visited.flat())).toEqual(new Set(ids));
});

test('skipped connections are logged and are not failures', async () => {
  await watches('counted', 'ada', numbered('ada', 40));

  await startPush(100)(changed('counted'));

  expect(output.logged()).toMatchObject([
    { message: 'connections not reached', failures: 0, skipped: 10 },
  ]);
  expect(output.metrics()).toEqual([]);
});
