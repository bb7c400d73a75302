import { expect, test, vi } from 'vitest';
import { createClickIds } from '../../../lib/clicks/click-id.ts';

/** Ids of clicks on these links in turn. */
const take = (count: number, mintId: (code: string) => string, codes = ['code']) =>
  Array.from({ length: count }, (_, index) => mintId(codes[index % codes.length] ?? ''));
const nameLinks = (count: number) => Array.from({ length: count }, (_, index) => `link-${index}`);
const pagesOf = (ids: string[]) => new Set(ids.map((id) => id.split('.')[1]));

test('click ids of one link take the slots of a page in order, then those of the next page', () => {
  const ids = take(
    257,
    createClickIds(() => 'p'),
  );

  expect(ids.slice(0, 2)).toEqual(['p.0.0', 'p.0.1']);
  expect(ids.slice(127, 129)).toEqual(['p.0.127', 'p.1.0']);
  expect(ids.slice(255)).toEqual(['p.1.127', 'p.2.0']);
});

test('a source mints its producer once, with its first id', () => {
  const mintProducer = vi.fn(() => 'p');

  const mintId = createClickIds(mintProducer);

  expect(mintProducer).not.toHaveBeenCalled();
  take(200, mintId);
  expect(mintProducer).toHaveBeenCalledOnce();
});

test('two sources share no id', () => {
  const [one, other] = [take(200, createClickIds()), take(200, createClickIds())];

  expect(new Set([...one, ...other]).size).toBe(400);
});

test('no id comes twice while the number of links rises and falls', () => {
  const mintId = createClickIds();

  const ids = [3, 1_000, 3, 1_000].flatMap((links) => take(3_000, mintId, nameLinks(links)));

  expect(new Set(ids).size).toBe(12_000);
});

test('clicks on many links fill eight pages side by side; all environments put the same links together', () => {
  const codes = nameLinks(400);
  const [one, other] = [createClickIds(() => 'p'), createClickIds(() => 'p')];
  take(1, other, codes.slice(399));

  const ids = take(400, one, codes);
  const others = take(400, other, codes);

  const groups = (of: string[]) => [
    ...Map.groupBy(codes, (_, i) => [...pagesOf([of[i] ?? ''])][0]),
  ];
  const links = (of: string[]) =>
    groups(of)
      .map(([, group]) => group.join())
      .toSorted();
  expect(pagesOf(ids).size).toBe(8);
  expect(links(others)).toEqual(links(ids));
});

test('once an environment has seen only a hundred links among 1,024 clicks, these share a page', () => {
  const mintId = createClickIds();
  take(1_024, mintId, nameLinks(100));

  const ids = take(300, mintId, nameLinks(100));

  // 300 ids are on one page and its two or three successors, and in order.
  expect(pagesOf(ids).size).toBeLessThanOrEqual(4);
  expect(ids.filter((id) => id.endsWith('.0')).length).toBe(pagesOf(ids).size - 1);
});

test.each([
  [100, 1],
  [101, 8],
])('after 1,024 ids on %i links, an environment goes on with %i pages side by side', (links, n) => {
  const mintId = createClickIds();
  take(1_024, mintId, nameLinks(links));

  expect(pagesOf(take(64, mintId, nameLinks(64))).size).toBe(n);
});

test('an environment looks at its last 1,024 ids only', () => {
  const mintId = createClickIds();
  take(1_024, mintId, nameLinks(400));
  take(1_024, mintId, nameLinks(64));

  expect(pagesOf(take(64, mintId, nameLinks(64))).size).toBe(1);
});
