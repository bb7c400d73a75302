import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backoffMs, connect, type Socket } from '../../../dashboard/state/live-socket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const ping = { action: 'ping' };

/** A connection that watches these links, with a socket for each time it opens. */
async function start(codes: string[] = []) {
  const sockets: (Socket & { sent: unknown[] })[] = [];
  const states: boolean[] = [];
  const live = connect({
    open: async () => {
      const sent: unknown[] = [];
      const socket: Socket & { sent: unknown[] } = {
        ...{ sent, onopen: null, onclose: null, onmessage: null },
        send: (text: string) => void sent.push(JSON.parse(text)),
        close: () => socket.onclose?.(),
      };
      sockets.push(socket);
      return socket;
    },
    onMessage: () => undefined,
    onOpen: (isOpen) => states.push(isOpen),
    random: () => 1,
  });
  live.watch(codes);
  const open = async () => {
    await vi.advanceTimersByTimeAsync(0);
    const socket = sockets.at(-1) ?? expect.fail('expected a socket');
    socket.onopen?.();
    return socket;
  };
  return { live, sockets, states, open, socket: await open() };
}

test('the page watches at most 100 links, in messages of at most 25 codes', async () => {
  const codes = Array.from({ length: 120 }, (_, index) => `link-${index}`);

  const { socket } = await start(codes);

  const parts = [0, 25, 50, 75].map((first) => codes.slice(first, first + 25));
  expect(socket.sent).toEqual(parts.map((some) => ({ action: 'watch', codes: some })));
});

test('changes are batched, and links are unwatched before others are watched', async () => {
  const { live, socket } = await start(['one', 'two']);

  live.watch(['one']);
  live.watch(['one', 'three']);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(socket.sent.slice(1)).toEqual([
    { action: 'unwatch', codes: ['two'] },
    { action: 'watch', codes: ['three'] },
  ]);
});

test('the page reconnects after a loss and watches the same links again', async () => {
  const { socket, sockets, states, open } = await start(['one']);

  socket.close();
  await vi.advanceTimersByTimeAsync(1_000);
  const second = await open();

  expect(sockets).toHaveLength(2);
  expect(second.sent).toEqual([{ action: 'watch', codes: ['one'] }]);
  expect(states).toEqual([true, false, true]);
});

test('the page pings every four minutes, and drops a connection that does not answer', async () => {
  const { states, socket } = await start();

  await vi.advanceTimersByTimeAsync(4 * 60_000);
  expect(socket.sent).toEqual([ping]);
  socket.onmessage?.({ data: '{"type":"pong"}' });
  await vi.advanceTimersByTimeAsync(4 * 60_000 + 10_000);

  expect(socket.sent).toHaveLength(2);
  expect(states).toEqual([true, false]);
});

test("the page pings even while pushes arrive, because pushes don't tell the service that the page is alive", async () => {
  const { socket } = await start();

  for (let minute = 0; minute < 8; minute += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    socket.onmessage?.({ data: '{"type":"counts","links":[]}' });
  }

  expect(socket.sent).toEqual([ping, ping]);
});

test('the backoff doubles up to half a minute, and half of it is random', () => {
  expect([0, 1, 2, 10].map((attempt) => backoffMs(attempt, 0))).toEqual([250, 500, 1_000, 15_000]);
  expect(backoffMs(2, 1)).toBe(2_000);
});
