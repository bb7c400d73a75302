import { describe, expect, test } from 'vitest';
import {
  type CrashPoint,
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

/** Passes `count` requests through the fault, and returns how each ended and how many were sent. */
async function send(
  fault: InjectedFault,
  count: number,
  request: Partial<InterceptedRequest> = {},
) {
  const die = async () => {
    throw new KilledError();
  };
  let sent = 0;
  const { pass } = createFaultInjector(fault, { die, waitForTurn: async () => {} });
  const ends = Array.from({ length: count }, (_, index) =>
    pass<string>(
      { ...hotWrite, ...request, name: `${index}` },
      {
        send: async () => {
          sent += 1;
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

const crash = (point: CrashPoint, click: number): InjectedFault => {
  return { kind: 'crash', point, click };
};
const conflict: InjectedFault = { kind: 'conflict', requests: 2 };
const [answered, killed, silence] = ['answered', 'killed', 'silence'];

describe('a crash', () => {
  test.each([
    ['before the work', crash('before-work', 3), 1, [answered, answered, killed], 2],
    ['in the middle, after the request', crash('mid-work', 2), 0, [answered, killed], 2],
    ['after the work, which has ended', crash('after-work', 1), 1, [killed], 1],
    ['in a transaction with the work of its click', crash('before-work', 5), 10, [killed], 0],
  ])('%s kills the process', async (_, fault, clicks, ends, sent) => {
    const request = { begins: Math.max(1, clicks), ends: clicks };

    expect(await send(fault, ends.length, request)).toEqual({ ends, sent });
  });

  test('after the work spares a process whose work has not ended', async () => {
    const { ends } = await send(crash('after-work', 1), 2, { ends: 0 });

    expect(ends).toEqual([answered, answered]);
  });
});

test.each<[string, InjectedFault, Partial<InterceptedRequest>, string[]]>([
  [
    'a conflict cancels transactions on the hot link until the burst is over',
    conflict,
    { isTransaction: true },
    ['conflict', 'conflict', answered],
  ],
  ['a conflict spares a single write', conflict, { isTransaction: false }, [answered]],
  [
    'a conflict spares a transaction on other links',
    conflict,
    { isTransaction: true, isHot: false },
    [answered],
  ],
  [
    'throttling begins after the first writes to the hot link have succeeded',
    { kind: 'throttle', skip: 1, requests: 2 },
    {},
    [answered, 'throttle', 'throttle', answered],
  ],
  [
    'a hang leaves every request unanswered from its click on',
    { kind: 'hang', click: 2 },
    {},
    [answered, silence, silence],
  ],
])('%s', async (_, fault, request, ends) => {
  expect((await send(fault, ends.length, request)).ends).toEqual(ends);
});

describe('a lost answer', () => {
  const fault: InjectedFault = { kind: 'lose-answers', seed: 5 };

  test('belongs to a write that was executed', async () => {
    const { ends, sent } = await send(fault, 40);

    expect(sent).toBe(40);
    expect(new Set(ends)).toEqual(new Set([answered, 'answer lost']));
  });

  test('never belongs to a retry', async () => {
    const { ends } = await send(fault, 40, { isFirstAttempt: false });

    expect(new Set(ends)).toEqual(new Set([answered]));
  });
});
