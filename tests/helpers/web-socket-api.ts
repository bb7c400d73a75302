import { afterEach, beforeAll, vi } from 'vitest';
import { makeContext } from '../../fixtures/lambda-context.ts';
import type { WebSocketEvent } from '../../lib/live/web-socket.ts';
import { useConnections } from './connections.ts';
import { useTable } from './test-table.ts';

const startMs = Date.parse('2026-11-22T07:00:00Z');
/** The instant to which a test's seconds refer, in epoch seconds. */
export const start = startMs / 1_000;

const event = (connectionId: string, parts: object = {}) =>
  ({ requestContext: { connectionId, ...parts } }) as WebSocketEvent;

/** Starts the functions of the WebSocket API for a test file, under their roles. */
export function useWebSocketApi(variables: Readonly<Record<string, string>> = {}) {
  const connections = useConnections();
  const table = useTable(variables, ['OpenConnection', 'WatchLinks', 'CloseConnection']);
  const functions = {} as {
    open: typeof import('../../functions/open-connection.ts').handler;
    close: typeof import('../../functions/close-connection.ts').handler;
    watch: typeof import('../../functions/watch-links.ts').handler;
  };
  beforeAll(async () => {
    vi.stubEnv('LIVE_ENDPOINT', connections.url);
    functions.open = (await import('../../functions/open-connection.ts')).handler;
    functions.close = (await import('../../functions/close-connection.ts')).handler;
    functions.watch = (await import('../../functions/watch-links.ts')).handler;
  });
  afterEach(() => vi.useRealTimers());

  return {
    connections,
    table,

    /** Sets the clock to this many seconds after the start. */
    passSeconds: (seconds: number) =>
      vi.useFakeTimers({ toFake: ['Date'], now: startMs + seconds * 1_000 }),

    open: (id: string, context: object) => functions.open(event(id, context), makeContext()),
    close: (id: string) => functions.close(event(id), makeContext()),
    say: (id: string, message: object) =>
      functions.watch({ ...event(id), body: JSON.stringify(message) }, makeContext()),
    connectionOf: (id: string) => table.get(`CONNECTION#${id}`, 'CONNECTION'),
    watchOf: (code: string, id: string) => table.get(`WATCH#${code}`, `CONNECTION#${id}`),
  };
}
