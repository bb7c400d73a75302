import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { LinkCounts } from '../../../lib/live/messages.ts';
import { useApi } from '../../helpers/api.ts';
import { useClock } from '../../helpers/clock.ts';
import { useModule } from '../../helpers/test-table.ts';
import { timeoutInTime } from '../../helpers/unhurried.ts';

// The time for sending never ends.
useClock('2026-11-22T07:00:00Z');
const { table, access } = useApi(['PushCounts']);
const push = useModule(() => import('../../../lib/live/push.ts'));
const end = 4_000_000_000;
/** The sends, in order: each began, then arrived or was given up. */
let events: string[] = [];

beforeAll(async () => {
  // A send that hangs is given up as soon as no other one has anything to do.
  AbortSignal.timeout = (ms) => timeoutInTime(ms > 1_000 ? ms * 20 : 1);
  await table.put({ PK: 'CONNECTIONS', SK: 'CONNECTIONS', ttl: end });
});

beforeEach(() => {
  events = [];
});

/** Starts push-counts with connections that hang if their id starts with `slow`. */
const startPush = () =>
  push.createPush({
    table: access.table,
    connections: {
      send: async (id, _message, abortSignal) => {
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
  });

/** Stores the watches of a link by connections of a user. */
const watches = (code: string, owner: string, ids: string[]) =>
  table.put(...ids.map((id) => ({ PK: `WATCH#${code}`, SK: `CONNECTION#${id}`, owner, ttl: end })));

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);

const changed = (...codes: string[]): Map<string, LinkCounts> =>
  new Map(codes.map((code) => [code, { code, clicks: 1, days: [] }]));

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
