import type { Item } from '../../../fixtures/dynamodb-items.ts';

const writeUnitBytes = 1024;
const readUnitBytes = 4 * 1024;
/** Nothing changes an item once it is made, and most are measured several times. */
const sizes = new WeakMap<Item, number>();
/** A transaction prepares and commits each of its items, so it takes twice what one write takes. */
export const perTransaction = 2;
/** A map takes so many bytes, and one for each of its entries. */
const mapBytes = 3;

/** The units that a transaction takes to write one item: of the larger, before and after. */
export function writeUnits(before: Item | undefined, after: Item | undefined): number {
  return unitsOf(Math.max(measure(before), measure(after)), writeUnitBytes);
}

/** The units that it takes to read one item again, when a transaction's token is sent again. */
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
    if ('S' in value) bytes += Buffer.byteLength(value.S);
    else if ('B' in value) bytes += Buffer.byteLength(value.B, 'base64');
    else if ('SS' in value) bytes += Buffer.byteLength(value.SS.join(''));
    else if ('M' in value) bytes += mapBytes + Object.keys(value.M).length + measure(value.M);
    else bytes += Math.ceil(value.N.length / 2) + 1;
  }
  sizes.set(item, bytes);
  return bytes;
}

function unitsOf(bytes: number, unitBytes: number): number {
  return perTransaction * Math.max(1, Math.ceil(bytes / unitBytes));
}
