import { slotAttribute, slotsPerSheet, toSlotValue } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';

// Stored sheets keep these names, so they must never change. No reserved word is a letter and a digit.
test('each of 128 slots has an attribute of its own, a letter and a digit', () => {
  const names = Array.from({ length: slotsPerSheet }, (_, slot) => slotAttribute(slot));

  expect(new Set(names).size).toBe(128);
  expect([0, 9, 10, 127].map((slot) => names[slot])).toEqual(['a0', 'a9', 'b0', 'm7']);
});

test.each([-1, 128, 1.5, Number.NaN])('there is no slot %d', (slot) => {
  expect(() => slotAttribute(slot)).toThrow(
    new RangeError(`expected a slot from 0 to 127; got ${slot}`),
  );
});

test("a slot holds the first five bytes of the payload's hash", () => {
  const hash = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex').toString('base64');

  expect([...toSlotValue(hash)]).toEqual([0, 1, 2, 3, 4]);
});
