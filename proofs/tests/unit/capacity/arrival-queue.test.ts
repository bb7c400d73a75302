import { beforeEach, expect, test } from 'vitest';
import { ArrivalQueue } from '../../../capacity/arrival-queue.ts';
import type { ClickMessage } from '../../../capacity/click-source.ts';

let nowMs: number;
let queue: ArrivalQueue;

beforeEach(() => {
  nowMs = 0;
  const now = () => nowMs;
  queue = new ArrivalQueue({ now, visibilityTimeoutMs: 30_000, maxReceiveCount: 2 });
});

function arriveAt(...timesMs: number[]): void {
  for (const [index, atMs] of timesMs.entries()) {
    nowMs = atMs;
    queue.arrive({ number: index + 1, code: 'code', clickId: `id-${index}`, queue: 0 });
  }
}

const sentTimes = (messages: ClickMessage[]) => messages.map(({ sentMs }) => sentMs);

test('a failed message is received again after the visibility timeout, before newer ones', () => {
  arriveAt(10, 20);
  queue.giveBack(queue.receive(2), 1_000);
  arriveAt(30_999);
  const early = queue.receive(1);
  nowMs = 31_000;

  const again = queue.receive(2);

  expect(sentTimes(early)).toEqual([30_999]);
  expect(again).toMatchObject([
    { sentMs: 10, receiveCount: 2 },
    { sentMs: 20, receiveCount: 2 },
  ]);
});

test('a message becomes a dead letter after its last receive', () => {
  arriveAt(0);
  queue.giveBack(queue.receive(1), 0);
  nowMs = 30_000;
  queue.giveBack(queue.receive(1), 30_000);
  arriveAt(60_000);

  const received = queue.receive(1);

  expect(sentTimes(received)).toEqual([60_000]);
  const { visible, inFlight, size, deadLetters } = queue;
  expect({ visible, inFlight, size, deadLetters }).toEqual({
    ...{ visible: 0, inFlight: 1, size: 1, deadLetters: 1 },
  });
});
