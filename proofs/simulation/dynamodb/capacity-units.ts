import type { Item } from '../../../fixtures/dynamodb-items.ts';

const writeUnitBytes = 1024;
const readUnitBytes = 4 * 1024;
/** Items are immutable, and most are measured several times. */
const sizes = new WeakMap<Item, number>();
/** A transaction prepares and commits each item, so it takes twice the units of a single write. */
export const perTransaction = 2;

/** A transaction's units to write an item: those of the larger one, before or after. */
export function writeUnits(before: Item | undefined, after: Item | undefined): number {
  return unitsOf(Math.max(measure(before), measure(after)), writeUnitBytes);
}

/** The units to read an item when a transaction's token is repeated. */
export function readUnits(item: Item | undefined): number {
  return unitsOf(measure(item), readUnitBytes);
}

/**
 * The bytes of an item: those of its names and values.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function measure(item: Item = {}): number {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  let bytes = 0;
  for (const name in item) {
    const value = item[name];
    bytes += Buffer.byteLength(name);
    if (!value) continue;
    // An overview's sums are the only item with a list, and no transaction writes them.
    if ('L' in value) continue;
    if ('S' in value) bytes += Buffer.byteLength(value.S);
    else if ('B' in value) bytes += Buffer.byteLength(value.B, 'base64');
    else if ('SS' in value) bytes += Buffer.byteLength(value.SS.join());
    else if ('BOOL' in value) bytes += 1;
    else bytes += Math.ceil(value.N.length / 2) + 1;
  }
  sizes.set(item, bytes);
  return bytes;
}

function unitsOf(bytes: number, unitBytes: number): number {
  return perTransaction * Math.max(1, Math.ceil(bytes / unitBytes));
}
