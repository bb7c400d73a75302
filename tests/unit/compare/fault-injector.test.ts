import { describe, expect, test, vi } from 'vitest';
import {
  createTroublemaker,
  type Request,
  type Trouble,
} from '../../../evidence/compare/fault-injector.ts';

const hotWrite: Request = {
  name: 'hot',
  isFirstAttempt: true,
  isWrite: true,
  isTransaction: false,
  isHot: true,
  begins: 1,
  ends: 1,
};

class KilledError extends Error {}

/** Sends `count` requests through the trouble and tells what became of each. */
async function send(trouble: Trouble, count: number, request: Partial<Request> = {}) {
  const die = vi.fn(async () => {
    throw new KilledError();
  });
  const sent: number[] = [];
  const { pass } = createTroublemaker(trouble, { die, takeTurn: async () => {} });
  const fates = Array.from({ length: count }, (_, index) =>
    pass<string>(
      { ...hotWrite, ...request, name: `${index}` },
      {
        send: async () => {
          sent.push(index);
          return 'done';
        },
        sendToNowhere: async () => 'nowhere',
        refuse: async (reason) => reason,
        breakConnection: () => new Error('broken'),
      },
    ).catch((error) => (error instanceof KilledError ? 'killed' : 'lost')),
  );
  return { fates: await Promise.all(fates), sent };
}

describe('trouble', () => {
  test('kills before the work of a click was sent', async () => {
    const { fates, sent } = await send({ kind: 'crash', point: 'before-work', click: 3 }, 3);
    expect(fates).toEqual(['done', 'done', 'killed']);
    expect(sent).toEqual([0, 1]);
  });

  test('kills in the middle: what began was carried out, but its answer was not read', async () => {
    const trouble: Trouble = { kind: 'crash', point: 'mid-work', click: 2 };
    const { fates, sent } = await send(trouble, 2, { ends: 0 });
    expect(fates).toEqual(['done', 'killed']);
    expect(sent).toEqual([0, 1]);
  });

  test('kills after the work only once it has ended', async () => {
    const trouble: Trouble = { kind: 'crash', point: 'after-work', click: 1 };
    expect((await send(trouble, 2, { ends: 0 })).fates).toEqual(['done', 'done']);
    expect((await send(trouble, 1)).fates).toEqual(['killed']);
  });

  test('counts a transaction of several clicks as all of them', async () => {
    const trouble: Trouble = { kind: 'crash', point: 'before-work', click: 5 };
    expect((await send(trouble, 1, { begins: 10 })).fates).toEqual(['killed']);
  });

  test('cancels transactions on the hot link, and nothing else, until the burst is over', async () => {
    const trouble: Trouble = { kind: 'conflict', requests: 2 };
    const { fates } = await send(trouble, 3, { isTransaction: true });
    expect(fates).toEqual(['conflict', 'conflict', 'done']);
    expect((await send(trouble, 1)).fates).toEqual(['done']);
    expect((await send(trouble, 1, { isTransaction: true, isHot: false })).fates).toEqual(['done']);
  });

  test('throttles the hot link after the first writes went through', async () => {
    const { fates } = await send({ kind: 'throttle', skip: 1, requests: 2 }, 4);
    expect(fates).toEqual(['done', 'throttle', 'throttle', 'done']);
  });

  test('leaves without an answer from a click on', async () => {
    expect((await send({ kind: 'hang', click: 2 }, 3)).fates).toEqual([
      'done',
      'nowhere',
      'nowhere',
    ]);
  });

  test('loses answers of what was carried out, never those of a retry', async () => {
    const trouble: Trouble = { kind: 'lose-answers', seed: 5 };
    const { fates, sent } = await send(trouble, 40);
    expect(sent).toHaveLength(40);
    expect(new Set(fates)).toEqual(new Set(['done', 'lost']));
    const retries = await send(trouble, 40, { isFirstAttempt: false });
    expect(new Set(retries.fates)).toEqual(new Set(['done']));
  });
});
