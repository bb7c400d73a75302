import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { backoffMs, connect, type Socket } from '../../../dashboard/state/live-socket.ts';

/** A socket that records what is sent, and opens and closes when the test says so. */
class ScriptedSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onclose: Socket['onclose'] = null;
  onmessage: Socket['onmessage'] = null;
  sent: unknown[] = [];
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.onclose?.();
  }
}

const start = () => {
  const sockets: ScriptedSocket[] = [];
  const messages: unknown[] = [];
  const states: boolean[] = [];
  const refusal = { isOn: false };
  const live = connect({
    open: async () => {
      if (refusal.isOn) throw new Error('refused');
      const socket = new ScriptedSocket();
      sockets.push(socket);
      return socket;
    },
    onMessage: (message) => messages.push(message),
    onOpen: (isOpen) => states.push(isOpen),
    random: () => 1,
  });
  const opened = async () => {
    await vi.advanceTimersByTimeAsync(0);
    const socket = sockets.at(-1);
    if (!socket) throw new Error('expected a socket');
    socket.onopen?.();
    return socket;
  };
  return { live, sockets, messages, states, refusal, opened };
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the live connection', () => {
  test('watches at most 100 links, in messages of at most 25 codes', async () => {
    const { live, opened } = start();
    const codes = Array.from({ length: 120 }, (_, index) => `link-${index}`);
    live.watch(codes);

    const socket = await opened();

    expect(socket.sent).toEqual(
      [0, 25, 50, 75].map((first) => ({ action: 'watch', codes: codes.slice(first, first + 25) })),
    );
  });

  test('batches changes, and unwatches links before it watches others', async () => {
    const { live, opened } = start();
    live.watch(['one', 'two']);
    const socket = await opened();

    live.watch(['one']);
    live.watch(['one', 'three']);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(socket.sent.slice(1)).toEqual([
      { action: 'unwatch', codes: ['two'] },
      { action: 'watch', codes: ['three'] },
    ]);
  });

  test('reconnects after a loss and watches the same links again', async () => {
    const { live, sockets, states, opened } = start();
    live.watch(['one']);
    const first = await opened();

    first.close();
    await vi.advanceTimersByTimeAsync(1_000);
    const second = await opened();

    expect(sockets).toHaveLength(2);
    expect(second.sent).toEqual([{ action: 'watch', codes: ['one'] }]);
    expect(states).toEqual([true, false, true]);
  });

  test('pings every four minutes, and drops a connection that does not answer', async () => {
    const { states, opened } = start();
    const socket = await opened();

    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect(socket.sent).toEqual([{ action: 'ping' }]);
    socket.onmessage?.({ data: '{"type":"pong"}' });
    await vi.advanceTimersByTimeAsync(4 * 60_000 + 10_000);

    expect(socket.sent).toHaveLength(2);
    expect(states).toEqual([true, false]);
  });

  test("pings even while pushes arrive, because pushes don't tell the service that the page is alive", async () => {
    const { opened } = start();
    const socket = await opened();

    for (let minute = 0; minute < 8; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      socket.onmessage?.({ data: '{"type":"counts","links":[]}' });
    }

    expect(socket.sent).toEqual([{ action: 'ping' }, { action: 'ping' }]);
  });
});

test('the backoff doubles up to half a minute, and half of it is random', () => {
  expect([0, 1, 2, 10].map((attempt) => backoffMs(attempt, 0))).toEqual([250, 500, 1_000, 15_000]);
  expect([0, 1, 2, 10].map((attempt) => backoffMs(attempt, 1))).toEqual([
    500, 1_000, 2_000, 30_000,
  ]);
});
