import { expect, test } from 'vitest';
import {
  type CrashPoint,
  createFaultInjector,
  type InjectedFault,
  type InterceptedRequest,
  type RequestRoute,
} from '../../../compare/fault-injector.ts';

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

/** Passes requests through the fault and returns how each ended. */
function send(fault: InjectedFault, count: number, request: Partial<InterceptedRequest> = {}) {
  const die = async () => {
    throw new KilledError();
  };
  const { pass } = createFaultInjector(fault, { die, waitForTurn: async () => {} });
  const passOne = async (_: unknown, index: number) => {
    let isExecuted = false;
    const route: RequestRoute<string> = {
      send: async () => {
        isExecuted = true;
        return 'answered';
      },
      sendToSilence: async () => 'silence',
      refuse: async (reason) => reason,
      breakConnection: () => new Error('broken'),
    };
    const end = await pass({ ...hotWrite, ...request, name: `${index}` }, route).catch((error) =>
      error instanceof KilledError ? 'killed' : 'lost',
    );
    return isExecuted && end !== 'answered' ? `executed and ${end}` : end;
  };
  return Promise.all(Array.from({ length: count }, passOne));
}

const crash = (point: CrashPoint, click: number): InjectedFault => {
  return { kind: 'crash', point, click };
};
const conflict: InjectedFault = { kind: 'conflict', requests: 2 };
const throttle: InjectedFault = { kind: 'throttle', skip: 1, requests: 2 };
const hang: InjectedFault = { kind: 'hang', click: 2 };
const transaction = { isTransaction: true };

test.each([
  ['a crash before the work', crash('before-work', 2), {}, 'answered, killed'],
  ['a crash in the middle', crash('mid-work', 2), { ends: 0 }, 'answered, executed and killed'],
  ['a crash after the work, once it is done', crash('after-work', 1), {}, 'executed and killed'],
  ['a crash after the work, too early', crash('after-work', 1), { ends: 0 }, 'answered'],
  ['a crash at one of many clicks at once', crash('before-work', 5), { begins: 10 }, 'killed'],
  ['a burst of conflicts', conflict, transaction, 'conflict, conflict, answered'],
  ['a conflict, for a single write', conflict, {}, 'answered'],
  ['a conflict, for other links', conflict, { ...transaction, isHot: false }, 'answered'],
  ['throttling after the first write', throttle, {}, 'answered, throttle, throttle, answered'],
  ['a hang at the second click', hang, {}, 'answered, silence, silence'],
])('%s', async (_, fault, request, ends) => {
  expect(await send(fault, ends.split(', ').length, request)).toEqual(ends.split(', '));
});

test('half of the answers are lost after their write is executed', async () => {
  const ends = await send({ kind: 'lose-answers', seed: 5 }, 40);

  expect(new Set(ends)).toEqual(new Set(['answered', 'executed and lost']));
});

test('answers to retries are not lost', async () => {
  const ends = await send({ kind: 'lose-answers', seed: 5 }, 40, { isFirstAttempt: false });

  expect(new Set(ends)).toEqual(new Set(['answered']));
});
