import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError, explain, type Problem } from '../../../dashboard/state/problems.ts';

const { signal } = await vi.hoisted(() => import('@preact/signals'));
const isOnline = signal(true);
const isVisible = signal(true);
const isExpired = signal(false);
const problem = signal<Problem | undefined>(undefined);
const hasNumbers = signal(true);
vi.doMock('../../../dashboard/state/browser.ts', () => ({ isOnline, isVisible }));

let sockets: ScriptedSocket[];

class ScriptedSocket {
  onopen?: () => void;
  onclose?: () => void;
  onmessage?: (event: { data: string }) => void;
  readonly sent: unknown[] = [];
  constructor() {
    sockets.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.onclose?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', ScriptedSocket);
  sockets = [];
  [isOnline.value, isExpired.value, problem.value] = [true, false, undefined];
  hasNumbers.value = true;
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

async function openSocket(): Promise<ScriptedSocket> {
  await vi.advanceTimersByTimeAsync(0);
  const socket = sockets.at(-1) ?? expect.fail('expected a socket');
  socket.onopen?.();
  return socket;
}

/** Shows a view whose connection is open and watches these links, and counts its reloads. */
async function open({ restMs = 0, codes = [] as string[] } = {}) {
  const { createLive } = await import('../../../dashboard/state/live.ts');
  const token = async () => 'token';
  const live = createLive({ url: 'wss://live', token, isExpired: () => isExpired.value });
  const reload = vi.fn(async () => undefined);
  live.show({ reload, problem, hasNumbers, restMs: () => restMs }, codes);
  live.start();
  return { live, reload, socket: await openSocket() };
}

test.each([
  ['live', () => undefined],
  ['failing', () => explain(new ApiError(0, ''))],
  ['failing', () => explain(new ApiError(504, ''))],
  // The link isn't there, but the numbers are up to date.
  ['live', () => explain(new ApiError(404, ''))],
])('the page is %s as long as this problem is shown beside it', async (expected, cause) => {
  const { live } = await open();

  problem.value = cause();

  expect(live.state.value).toBe(expected);
  problem.value = undefined;
  expect(live.state.value).toBe('live');
});

test('the page is live only once it has numbers, and says that it still loads after a while', async () => {
  hasNumbers.value = false;
  const { live } = await open();

  expect(live.state.value).toBe('loading');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(live.state.value).toBe('slow');
  hasNumbers.value = true;
  expect(live.state.value).toBe('live');
});

test('being offline, and then an expired session, come before other states', async () => {
  const { live } = await open();
  problem.value = explain(new ApiError(0, ''));

  isExpired.value = true;
  expect(live.state.value).toBe('expired');
  isOnline.value = false;
  expect(live.state.value).toBe('offline');
});

test.each([
  ['every 30 seconds while it is live', 0, undefined, 30],
  ['every five seconds while it fails', 0, explain(new ApiError(503, '')), 5],
  ['less often if that is expensive', 300_000, explain(new ApiError(503, '')), 300],
])('the view is read again %s', async (_, restMs, cause, seconds) => {
  const { reload } = await open({ restMs });
  problem.value = cause;

  await vi.advanceTimersByTimeAsync((seconds - 2) * 1_000);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(4_000);

  expect(reload).toHaveBeenCalledTimes(1);
});

test('a viewer who comes back while the page connects again gets no second connection', async () => {
  const { live, socket } = await open();
  socket.close();
  await vi.advanceTimersByTimeAsync(1_000);

  isVisible.value = false;
  isVisible.value = true;
  await openSocket();

  expect(sockets.length).toBe(2);
  expect(live.state.value).toBe('live');
});

test('changes are batched, and links are unwatched before others are watched', async () => {
  const { live, socket } = await open({ codes: ['one', 'two'] });

  live.watch(['one']);
  live.watch(['one', 'three']);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(socket.sent.slice(1)).toEqual([
    { action: 'unwatch', codes: ['two'] },
    { action: 'watch', codes: ['three'] },
  ]);
});

test('the page pings every four minutes, even while pushes arrive, and drops a silent connection', async () => {
  const { socket } = await open();

  for (let minute = 0; minute < 8; minute += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    socket.onmessage?.({ data: '{"type":"counts","links":[]}' });
  }
  expect(socket.sent).toEqual([{ action: 'ping' }, { action: 'ping' }]);
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(4 * 60_000 + 10_000);

  expect(sockets.length).toBeGreaterThan(1);
});

test('the delay before another attempt doubles up to half a minute, and half of it is random', async () => {
  const { backoffMs } = await import('../../../dashboard/state/live-socket.ts');

  expect([0, 1, 2, 10].map((attempt) => backoffMs(attempt, 0))).toEqual([250, 500, 1_000, 15_000]);
  expect(backoffMs(2, 1)).toBe(2_000);
});
