import { slotAttribute, slotsPerSheet, toSlotValue } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';

const slots = Array.from({ length: 128 }, (_, slot) => slot);

test('a sheet has 128 slots, and each has an attribute of its own', () => {
  expect(slotsPerSheet).toBe(128);
  expect(new Set(slots.map(slotAttribute)).size).toBe(128);
});

// Stored sheets keep these names, so they must never change.
test('the attribute of a slot is a letter and a digit, which no reserved word is', () => {
  expect([0, 9, 10, 127].map(slotAttribute)).toEqual(['a0', 'a9', 'b0', 'm7']);
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
