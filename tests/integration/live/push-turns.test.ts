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
  // A send that hangs is given up as soon as no other one has anything to do.
  AbortSignal.timeout = (ms) => timeoutInTime(ms > 1_000 ? ms * 20 : 1);
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

/** Stores the watches of a link by connections of a user or, without one, by users of one each. */
const watches = (code: string, owner: string | undefined, ids: string[]) =>
  table.put(
    ...ids.map((id) => ({
      ...{ PK: `WATCH#${code}`, SK: `CONNECTION#${id}`, owner: owner ?? id, ttl: end },
    })),
  );

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
    const isGivenUp = (event: string) => event.endsWith('given up');
    expect(events.slice(0, events.indexOf('zoe arrived')).filter(isGivenUp)).toEqual([]);
    expect(events.filter(isGivenUp)).toHaveLength(60);
  },
);

/** Pushes changes of these links a few times, and returns whom each push reached. */
async function pushTimes(times: number, push: ReturnType<typeof startPush>, ...codes: string[]) {
  const visited: string[][] = [];
  for (let pushes = 0; pushes < times; pushes += 1) {
    events = [];
    await push(changed(...codes));
    visited.push(arrived());
  }
  return visited;
}

test('a push that takes too long skips connections, which get the next numbers and are not failures', async () => {
  const ids = numbered('user', 100);
  await watches('slowed', undefined, ids);

  // 30 sends fit into three seconds.
  const visited = await pushTimes(4, startPush(100), 'slowed');

  expect(visited.map(({ length }) => length)).toEqual([30, 30, 30, 30]);
  expect(new Set(visited.flat())).toEqual(new Set(ids));
  const skipped = { message: 'connections not reached', failures: 0, skipped: 70 };
  expect(output.logged()).toMatchObject(Array(4).fill(skipped));
  expect(output.metrics()).toEqual([]);
});
