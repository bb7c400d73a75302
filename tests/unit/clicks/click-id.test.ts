import { expect, test, vi } from 'vitest';
import { createClickIds } from '../../../lib/clicks/click-id.ts';

const take = (count: number, mintId: () => string) => Array.from({ length: count }, mintId);

test('click ids take the slots of a page in order, then those of the next page', () => {
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
