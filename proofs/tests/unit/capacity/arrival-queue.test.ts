import { beforeEach, expect, test } from 'vitest';
import { ArrivalQueue } from '../../../capacity/arrival-queue.ts';
import type { ClickMessage } from '../../../capacity/click-source.ts';

let nowMs: number;
let sent: number;
let queue: ArrivalQueue;

beforeEach(() => {
  nowMs = 0;
  sent = 0;
  queue = new ArrivalQueue({
    now: () => nowMs,
    visibilityTimeoutMs: 30_000,
    maxReceiveCount: 2,
  });
});

function arriveAt(atMs: number, count: number): void {
  nowMs = atMs;
  for (let left = count; left > 0; left -= 1) {
    sent += 1;
    queue.arrive({ number: sent, code: 'code', clickId: `id-${sent}`, queue: 0 });
  }
}

const sentTimes = (messages: ClickMessage[]) => messages.map(({ sentMs }) => sentMs);
const counts = () => {
  const { visible, waiting, inFlight, size, deleted, deadLetters } = queue;
  return { visible, waiting, inFlight, size, deleted, deadLetters };
};

test('messages are received in the order in which they were sent', () => {
  arriveAt(10, 2);
  arriveAt(20, 1);
  arriveAt(30, 5);

  const received = [queue.receive(1), queue.receive(3)];

  expect(received.map(sentTimes)).toEqual([[10], [10, 20, 30]]);
});

test('a failed message is visible again after the visibility timeout', () => {
  arriveAt(0, 1);
  nowMs = 1_000;
  const [message] = queue.receive(1);
  nowMs = 9_000;
  queue.giveBack(message ? [message] : [], 1_000);

  nowMs = 30_999;
  const early = queue.receive(1);
  nowMs = 31_000;
  const again = queue.receive(1);

  expect(early).toEqual([]);
  expect(again).toMatchObject([{ id: 'message-1', sentMs: 0, receiveCount: 2 }]);
});

test('failed messages are received before newer ones, oldest first', () => {
  for (const atMs of [10, 20, 30]) arriveAt(atMs, 1);
  queue.giveBack(queue.receive(3), 30);
  arriveAt(40, 1);
  nowMs = 30_030;

  const received = queue.receive(4);

  expect(sentTimes(received)).toEqual([10, 20, 30, 40]);
});

test('a message becomes a dead letter after its last receive', () => {
  arriveAt(0, 1);
  queue.giveBack(queue.receive(1), 0);
  nowMs = 30_000;
  queue.giveBack(queue.receive(1), 30_000);
  arriveAt(60_000, 1);

  const received = queue.receive(1);

  expect(sentTimes(received)).toEqual([60_000]);
  expect(counts()).toEqual({
    visible: 0,
    waiting: 0,
    inFlight: 1,
    size: 1,
    deleted: 0,
    deadLetters: 1,
  });
});
