import { HttpRequest } from '@smithy/core/protocols';
import { beforeEach, describe, expect, test } from 'vitest';
import { CpuCarrier } from '../../../capacity/carrier.ts';
import type { SendOptions } from '../../../simulation/sandbox.ts';
import { VirtualTime } from '../../../simulation/virtual-time.ts';

const cpu = { initMs: 100, perInvocationMs: 10, perClickMs: 1, perItemMs: 2 };
/** Half of 11 ms, rounded up, because virtual time has whole milliseconds. */
const halfWayMs = 6;

let time: VirtualTime;
let carrier: CpuCarrier;
/** The requests' times of arrival at the table. */
let arrivals: [instance: string, atMs: number][];
/** The outcomes that the instances saw, with their times. */
let outcomes: [outcome: unknown, atMs: number][];

beforeEach(() => {
  time = new VirtualTime(0);
  carrier = createCarrier(1);
  arrivals = [];
  outcomes = [];
});

function createCarrier(cpuShare: number): CpuCarrier {
  const table = {
    handle: (_: string, __: unknown, ___: unknown, { name = '' }) => {
      arrivals.push([name, time.nowMs]);
    },
  };
  return new CpuCarrier({ time, table, cpu, cpuShare });
}

const instanceOf = (name: string) => ({
  ...{ name, role: 'aggregator' as const, dead: false, frozenUntilMs: 0 },
});
const instance = instanceOf('one');

function send(items: number, options: SendOptions = {}, caller = instance): void {
  const request = new HttpRequest({
    headers: { 'x-amz-target': 'DynamoDB_20120810.TransactWriteItems' },
    body: JSON.stringify({ TransactItems: Array(items).fill({}) }),
  });
  carrier.send(caller, request, options).then(
    ({ response }) => outcomes.push([response, time.nowMs]),
    (error: Error) => outcomes.push([error.name, time.nowMs]),
  );
}

describe('a request is sent once its instance', () => {
  test('has initialised and read the batch', async () => {
    carrier.begin('one', 50);
    send(1);
    await time.pass(1_000);

    expect(arrivals).toEqual([['one', 100 + 10 + 50 + 2 + halfWayMs]]);
  });

  test('has built the earlier ones, on its only core', async () => {
    carrier.begin('one', 0);
    send(1);
    send(1);
    await time.pass(1_000);

    const firstMs = 100 + 10 + 2 + halfWayMs;
    expect(arrivals).toEqual([
      ['one', firstMs],
      ['one', firstMs + 2],
    ]);
  });

  test('has computed, which takes twice as long on half a core', async () => {
    carrier = createCarrier(0.5);
    carrier.begin('one', 50);
    send(1);
    await time.pass(1_000);

    expect(arrivals).toEqual([['one', 2 * (100 + 10 + 50 + 2) + halfWayMs]]);
  });
});

describe('an instance gives up a request', () => {
  const slow = { requestTimeout: 200, throwOnRequestTimeout: true };

  test('when its timeout since sending ends', async () => {
    carrier.begin('one', 0);
    send(1, slow);
    await time.pass(1_000);

    expect(outcomes).toEqual([['TimeoutError', 100 + 10 + 2 + 200]]);
  });

  test('when it is aborted, but a sent request still arrives', async () => {
    const controller = new AbortController();
    send(1, { abortSignal: controller.signal });
    await time.pass(4);
    controller.abort();
    await time.pass(1_000);

    expect(outcomes).toEqual([['AbortError', 4]]);
    expect(arrivals).toEqual([['one', 2 + halfWayMs]]);
  });

  test('when it is aborted, and an unsent request never arrives', async () => {
    const controller = new AbortController();
    carrier.begin('one', 0);
    send(1, { abortSignal: controller.signal });
    await time.pass(50);
    controller.abort();
    await time.pass(1_000);

    expect(outcomes).toEqual([['AbortError', 50]]);
    expect(arrivals).toEqual([]);
  });
});

describe("an instance's clock", () => {
  test('is ahead by the time of its pending computation', async () => {
    const clock = carrier.clockOf('one');
    carrier.begin('one', 50);
    const atStart = clock.nowMs;
    await time.pass(100);
    const later = clock.nowMs;
    await time.pass(400);

    expect([atStart, later, clock.nowMs]).toEqual([160, 160, 500]);
    expect(carrier.clockOf('two').nowMs).toBe(500);
  });

  test('starts a timer after the pending computation', async () => {
    const firedAtMs: number[] = [];
    carrier.begin('one', 50);

    carrier.clockOf('one').after(30, () => firedAtMs.push(time.nowMs));
    await time.pass(1_000);

    expect(firedAtMs).toEqual([160 + 30]);
  });
});
