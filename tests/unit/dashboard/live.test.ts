import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError, explain, type Problem } from '../../../dashboard/state/problems.ts';

const { signal } = await vi.hoisted(() => import('@preact/signals'));
const [isOnline, isVisible, isExpired] = [signal(true), signal(true), signal(false)];
const problem = signal<Problem | undefined>(undefined);
vi.doMock('../../../dashboard/state/browser.ts', () => ({ isOnline, isVisible }));

let socket: ScriptedSocket;

class ScriptedSocket {
  onopen?: () => void;
  constructor() {
    socket = this;
  }
  send() {}
  close() {}
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', ScriptedSocket);
  [isOnline.value, isExpired.value, problem.value] = [true, false, undefined];
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

/** Shows a view whose connection is open, and counts its reloads. */
async function open(restMs = 0) {
  const { createLive } = await import('../../../dashboard/state/live.ts');
  const token = async () => 'token';
  const live = createLive({ url: 'wss://live', token, isExpired: () => isExpired.value });
  const reload = vi.fn(async () => undefined);
  live.show({ reload, problem, restMs: () => restMs }, []);
  live.start();
  await vi.advanceTimersByTimeAsync(0);
  socket.onopen?.();
  return { live, reload };
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
  const { reload } = await open(restMs);
  problem.value = cause;

  await vi.advanceTimersByTimeAsync((seconds - 2) * 1_000);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(4_000);

  expect(reload).toHaveBeenCalledTimes(1);
});
