import { describe, expect, test, vi } from 'vitest';
import {
  createFaultInjector,
  type InjectedFault,
  type InterceptedRequest,
} from '../../../evidence/compare/fault-injector.ts';

const hotWrite: InterceptedRequest = {
  name: 'hot',
  isFirstAttempt: true,
  isWrite: true,
  isTransaction: false,
  isHot: true,
  begins: 1,
  ends: 1,
};

class KilledError extends Error {}

/** Passes `count` requests through the fault, and returns how each ended and which were sent. */
async function send(
  fault: InjectedFault,
  count: number,
  request: Partial<InterceptedRequest> = {},
) {
  const die = vi.fn(async () => {
    throw new KilledError();
  });
  const sent: number[] = [];
  const { pass } = createFaultInjector(fault, { die, waitForTurn: async () => {} });
  const ends = Array.from({ length: count }, (_, index) =>
    pass<string>(
      { ...hotWrite, ...request, name: `${index}` },
      {
        send: async () => {
          sent.push(index);
          return 'answered';
        },
        sendToSilence: async () => 'silence',
        refuse: async (reason) => reason,
        breakConnection: () => new Error('broken'),
      },
    ).catch((error) => (error instanceof KilledError ? 'killed' : 'answer lost')),
  );
  return { ends: await Promise.all(ends), sent };
}

describe('a crash', () => {
  test('before the work kills before the request is sent', async () => {
    const { ends, sent } = await send({ kind: 'crash', point: 'before-work', click: 3 }, 3);

    expect(ends).toEqual(['answered', 'answered', 'killed']);
    expect(sent).toEqual([0, 1]);
  });

  test('in the middle kills after the request is executed and before its answer', async () => {
    const fault: InjectedFault = { kind: 'crash', point: 'mid-work', click: 2 };

    const { ends, sent } = await send(fault, 2, { ends: 0 });

    expect(ends).toEqual(['answered', 'killed']);
    expect(sent).toEqual([0, 1]);
  });

  test('after the work kills only once the work has ended', async () => {
    const fault: InjectedFault = { kind: 'crash', point: 'after-work', click: 1 };

    const unfinished = await send(fault, 2, { ends: 0 });
    const finished = await send(fault, 1);

    expect(unfinished.ends).toEqual(['answered', 'answered']);
    expect(finished.ends).toEqual(['killed']);
  });

  test('hits a transaction that contains the work of its click', async () => {
    const fault: InjectedFault = { kind: 'crash', point: 'before-work', click: 5 };

    const { ends } = await send(fault, 1, { begins: 10 });

    expect(ends).toEqual(['killed']);
  });
});

describe('a conflict', () => {
  const fault: InjectedFault = { kind: 'conflict', requests: 2 };

  test('cancels transactions on the hot link until the burst is over', async () => {
    const { ends } = await send(fault, 3, { isTransaction: true });

    expect(ends).toEqual(['conflict', 'conflict', 'answered']);
  });

  test.each([
    ['a single write', { isTransaction: false }],
    ['a transaction on other links', { isTransaction: true, isHot: false }],
  ])('spares %s', async (_, request) => {
    const { ends } = await send(fault, 1, request);

    expect(ends).toEqual(['answered']);
  });
});

test('throttling begins after the first writes to the hot link have succeeded', async () => {
  const { ends } = await send({ kind: 'throttle', skip: 1, requests: 2 }, 4);

  expect(ends).toEqual(['answered', 'throttle', 'throttle', 'answered']);
});

test('a hang leaves every request unanswered from its click on', async () => {
  const { ends } = await send({ kind: 'hang', click: 2 }, 3);

  expect(ends).toEqual(['answered', 'silence', 'silence']);
});

describe('a lost answer', () => {
  const fault: InjectedFault = { kind: 'lose-answers', seed: 5 };

  test('belongs to a write that was executed', async () => {
    const { ends, sent } = await send(fault, 40);

    expect(sent).toHaveLength(40);
    expect(new Set(ends)).toEqual(new Set(['answered', 'answer lost']));
  });

  test('never belongs to a retry', async () => {
    const { ends } = await send(fault, 40, { isFirstAttempt: false });

    expect(new Set(ends)).toEqual(new Set(['answered']));
  });
});
