import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  estimateVisitors,
  fromBytes,
  isMark,
  maxMarks,
  maxSketchBytes,
  noVisitors,
  toBytes,
  toMark,
  unite,
} from '../../../lib/clicks/visitor-sketch.ts';

const hash = (bucket: number, rank: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(bucket, 0);
  bytes.writeUInt32BE(rank, 4);
  return bytes;
};
/** Shrinking hundreds of marks takes minutes. */
const withoutShrinking = { endOnFailure: true };
/** As ranks are in a hash: half are 1, a quarter 2, and so on. */
const mark = fc
  .uint8Array({ minLength: 8, maxLength: 8 })
  .map((bytes) => toMark(Buffer.from(bytes)));

test('a mark is the bucket times 32, and the number of leading zeros and one', () => {
  expect(toMark(hash(0, 0x8000_0000))).toBe(1);
  expect(toMark(hash(0, 0x2fff_ffff))).toBe(3);
  expect(toMark(hash(0, 1))).toBe(31);
  expect(toMark(hash(0, 0))).toBe(31);
  // Half of 20,480 buckets.
  expect(toMark(hash(0x8000_0000, 0xffff_ffff))).toBe(10_240 * 32 + 1);
  expect(toMark(hash(0xffff_ffff, 0xffff_ffff))).toBe(20_479 * 32 + 1);
});

test.each([0, 32, -1, 655_360, 1.5, Number.NaN, '33', null, undefined])(
  '%o is not a mark',
  (value) => {
    expect(isMark(value)).toBe(false);
  },
);

test('the order, the repetition and the grouping of visitors never change a stored sketch', () => {
  const isTheSame = fc.property(
    fc.array(mark, { minLength: 1, maxLength: 2 * maxMarks, size: 'max' }),
    fc.array(fc.nat({ max: 2 * maxMarks }), { maxLength: 50 }),
    fc.infiniteStream(fc.nat({ max: 40 })),
    (marks, repeated, sizes) => {
      const shuffled = [...repeated.flatMap((index) => marks[index] ?? []), ...marks.toReversed()];
      let stored = toBytes(noVisitors);
      for (let start = 0; start < shuffled.length; ) {
        const size = 1 + (sizes.next().value ?? 0);
        const group = new Set(shuffled.slice(start, start + size));
        stored = toBytes(unite([fromBytes(stored), group]));
        start += size;
      }

      expect(stored).toEqual(toBytes(new Set(marks)));
      expect(stored.length).toBeLessThanOrEqual(maxSketchBytes);
    },
  );
  fc.assert(isTheSame, { numRuns: 200, ...withoutShrinking });
});

test('the union of sketches is the sketch of all their visitors, in either form', () => {
  const isUnion = fc.property(
    fc.array(mark, { maxLength: 2 * maxMarks, size: 'max' }),
    fc.array(mark, { maxLength: 2 * maxMarks, size: 'max' }),
    (some, others) => {
      const united = unite([some, others].map((marks) => fromBytes(toBytes(new Set(marks)))));

      expect(toBytes(united)).toEqual(toBytes(new Set([...some, ...others])));
    },
  );
  fc.assert(isUnion, { numRuns: 100, ...withoutShrinking });
});

test('a sketch keeps up to 266 marks, and then the highest rank of every 16 buckets', () => {
  const marks = Array.from({ length: 266 }, (_, index) => index * 32 + 1);
  const full = toBytes(new Set(marks));
  const [first = 0] = marks;
  const more = unite([fromBytes(full), new Set([first + 4])]);

  expect(full.length).toBe(799);
  expect(full.subarray(0, 7)).toEqual(Buffer.from([1, 0, 0, 1, 0, 0, 33]));
  // The first 266 buckets are in the registers 0 to 16: the first has the rank 5, the others 1.
  const registers = toBytes(more);
  expect(registers.length).toBe(801);
  expect(registers.subarray(0, 12).toString('hex')).toBe('022842108421084210842108');
  expect(registers.subarray(13).every((byte) => byte === 0)).toBe(true);
});

test.each([
  ['an unknown form', [3, 0, 0, 33]],
  ['no bytes', []],
  ['half a mark', [1, 0, 0]],
  ['a mark out of range', [1, 255, 255, 255]],
  ['too few registers', [2, 0, 0]],
])('a sketch with %s is rejected', (_, bytes) => {
  expect(() => fromBytes(Uint8Array.from(bytes))).toThrow('expected a sketch of a known form; got');
});

test('an estimate corrects for visitors who share a mark, and for registers that many share', () => {
  const distinct = (count: number) =>
    new Set(Array.from({ length: count }, (_, index) => index * 32 + 1));

  expect(estimateVisitors(noVisitors)).toBe(0);
  expect(estimateVisitors(distinct(1))).toBe(1);
  expect(estimateVisitors(distinct(49))).toBe(49);
  // 1,000 visitors have 1,000²/2 pairs, of which one in 61,440 has the same mark: about 8.
  expect(estimateVisitors(distinct(992))).toBe(1_000);
  // Half of the registers are 0 and half are 1, so Ertl's sum is 1/4 + sigma(1/2), which is 0.89075.
  const half = new Uint8Array(1_280).fill(1, 0, 640);
  expect(estimateVisitors(half)).toBe(809);
});
