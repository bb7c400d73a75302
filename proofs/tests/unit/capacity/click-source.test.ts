import { describe, expect, test } from 'vitest';
import { clickSlot } from '../../../../lib/clicks/placed-id.ts';
import {
  codesOf,
  createClickSource,
  environmentsFor,
  hotCode,
  type SourceParts,
  toMessage,
} from '../../../capacity/click-source.ts';

const usual: SourceParts = {
  seed: 1,
  law: { links: 4, hotShare: 0 },
  environments: 1,
  queues: 1,
};

interface Click {
  clickId: string;
  code: string;
}

const messagesOf = (count: number, changes: Partial<SourceParts> = {}) => {
  const make = createClickSource({ ...usual, ...changes });
  return Array.from({ length: count }, (_, index) => toMessage(make(), index));
};

const clicksOf = (count: number, changes: Partial<SourceParts> = {}): Click[] =>
  messagesOf(count, changes).map(({ body }) => JSON.parse(body).detail);

/** The number of clicks on each link. */
function countByCode(clicks: readonly Click[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of clicks) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

// With 512 MB, a visit occupies a resolver environment for 19.8 ms.
test.each([
  [0.1, 1],
  [50, 1],
  [51, 2],
  [1_000, 20],
  [75_000, 1_488],
])('%d clicks a second occupy %d resolver environments', (clicksPerSecond, environments) => {
  expect(environmentsFor(clicksPerSecond, 512)).toBe(environments);
});

describe('a message', () => {
  test('is unreceived and has its time of sending', () => {
    const [first, second] = messagesOf(2);

    expect(first).toMatchObject({ id: 'message-1', sentMs: 0, receiveCount: 0 });
    expect(second).toMatchObject({ id: 'message-2', sentMs: 1, receiveCount: 0 });
  });

  test('is the same for the same seed', () => {
    expect(messagesOf(300)).toEqual(messagesOf(300));
  });
});

describe('links', () => {
  test('are clicked in proportion to their rank', () => {
    const counts = countByCode(clicksOf(12_500));

    // In proportion to 1, 1/2, 1/3 and 1/4: shares of 12, 6, 4 and 3 in 25.
    const ranks = [0, 1, 2, 3].map((rank) => (counts[`link-${rank}`] ?? 0) / 500);
    for (const [index, share] of [12, 6, 4, 3].entries()) {
      expect(Math.abs((ranks[index] ?? 0) - share)).toBeLessThan(0.5);
    }
  });

  test('give the hot link its share', () => {
    const counts = countByCode(clicksOf(10_000, { law: { links: 4, hotShare: 0.9 } }));

    expect(Math.abs((counts[hotCode] ?? 0) - 9_000)).toBeLessThan(100);
    expect(Object.keys(counts)).toHaveLength(5);
  });

  test.each([
    [0, ['link-0', 'link-1']],
    [0.9, [hotCode, 'link-0', 'link-1']],
  ])('with a hot share of %d have the codes %j', (hotShare, codes) => {
    expect(codesOf({ links: 2, hotShare })).toEqual(codes);
  });
});

describe('click ids', () => {
  test('are unique', () => {
    const minted = clicksOf(3_000, { environments: 4 }).map(({ clickId }) => clickId);

    expect(new Set(minted).size).toBe(3_000);
  });

  test("from the resolver share its environments' pages", () => {
    const pagesOf = (environments: number) => {
      const clicks = clicksOf(100, { environments, law: { links: 1, hotShare: 0 } });
      return new Set(clicks.map(({ clickId }) => clickSlot(`CLICK#${clickId}`)?.sheetKey.PK));
    };

    expect(pagesOf(1).size).toBe(1);
    expect(pagesOf(3).size).toBe(3);
  });
});

test("other producers' clicks go to the first queue, and their ids have no slots", () => {
  const make = createClickSource({
    ...{ ...usual, queues: 4 },
    law: { links: 400, hotShare: 0, isForeign: true },
  });
  const clicks = Array.from({ length: 100 }, make);

  expect(new Set(clicks.map(({ queue }) => queue))).toEqual(new Set([0]));
  expect(new Set(clicks.map(({ clickId }) => clickId)).size).toBe(100);
  expect(clicks.some(({ clickId }) => clickSlot(`CLICK#${clickId}`))).toBe(false);
});

test('all queues get clicks', () => {
  const make = createClickSource({ ...usual, law: { links: 400, hotShare: 0 }, queues: 4 });
  const queues = Array.from({ length: 1_000 }, () => make().queue);

  expect(new Set(queues)).toEqual(new Set([0, 1, 2, 3]));
});
