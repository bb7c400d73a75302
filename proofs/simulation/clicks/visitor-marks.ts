import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Detail } from './breakdowns.ts';

const ranks = 32;
const buckets = 20_480;
const registers = 1_280;
const maxMarks = 266;

/**
 * The mark of a click's visitor: a bucket and a rank, from 1. Only a person has one. This and what follows
 * is the auditor's own copy, which uses nothing of the service.
 */
export function markOf({ visitor, visitorMark: mark }: Detail): number | undefined {
  if (visitor !== 'human' || typeof mark !== 'number' || !Number.isInteger(mark)) return undefined;
  const isMark = mark >= 0 && mark < buckets * ranks && mark % ranks !== 0;
  return isMark ? mark : undefined;
}

/** The only sketch that these marks may have on a day. */
export function sketchOf(marks: ReadonlySet<number>): Buffer {
  if (marks.size <= maxMarks) {
    const sorted = [...marks].sort((a, b) => a - b);
    const hex = sorted.map((mark) => mark.toString(16).padStart(6, '0')).join('');
    return Buffer.from(`01${hex}`, 'hex');
  }
  const highest = highestRanks(marks);
  const bits = highest.map((rank) => rank.toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return Buffer.from([2, ...bytes]);
}

/** Whether a stored sketch has at least the first marks, and at most the others. */
export function isBetween(
  stored: Buffer,
  least: ReadonlySet<number>,
  most: ReadonlySet<number>,
): boolean {
  if (stored[0] === 1) {
    const marks = stored.toString('hex', 1).match(/.{6}/g) ?? [];
    const found = new Set(marks.map((mark) => Number.parseInt(mark, 16)));
    return sketchOf(found).equals(stored) && least.isSubsetOf(found) && found.isSubsetOf(most);
  }
  const bits = [...stored.subarray(1)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const found = (bits.match(/.{5}/g) ?? []).map((rank) => Number.parseInt(rank, 2));
  const lowest = highestRanks(least);
  const highest = highestRanks(most);
  return (
    stored[0] === 2 &&
    found.length === registers &&
    found.every((rank, index) => Number(lowest[index]) <= rank && rank <= Number(highest[index]))
  );
}

/** The highest rank of every 16 buckets. */
function highestRanks(marks: ReadonlySet<number>): number[] {
  const highest = new Array<number>(registers).fill(0);
  for (const mark of marks) {
    const register = Math.floor(mark / ranks / (buckets / registers));
    highest[register] = Math.max(mark % ranks, highest[register] ?? 0);
  }
  return highest;
}

/** A stored sketch. */
export function sketchIn(item: Item): Buffer {
  const { sketch } = item;
  return sketch && 'B' in sketch ? Buffer.from(sketch.B, 'base64') : Buffer.alloc(0);
}
