import { toItem, toItemId } from './actions.ts';
import type { SlotMarker } from './entry.ts';

/** A sheet holds up to 128 markers: a condition on that many slots fits into DynamoDB's 4 KB. */
export const slotsPerSheet = 128;

/** One of the markers on a sheet. */
export interface Slot {
  /** The sheet's primary key. Its attributes are strings. */
  sheetKey: Record<string, string>;
  /** From 0 up to, but not including, {@link slotsPerSheet}. */
  index: number;
}

/**
 * The name of a slot's attribute: a letter and a digit, which is never a reserved word.
 *
 * @throws {RangeError} if no sheet has the slot.
 */
export function slotAttribute(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= slotsPerSheet) {
    throw new RangeError(`expected a slot from 0 to ${slotsPerSheet - 1}; got ${index}`);
  }
  const letter = String.fromCharCode('a'.charCodeAt(0) + Math.floor(index / 10));
  return `${letter}${index % 10}`;
}

/**
 * The value of a slot: the first five bytes of the payload's hash, which is base64. With more, a full
 * sheet could exceed 1 KB, and a write would cost more.
 */
export function toSlotValue(payloadHash: string): Uint8Array {
  return Buffer.from(payloadHash, 'base64').subarray(0, 5);
}

/** The marker of a payload in this slot. @throws {RangeError} if no sheet has the slot. */
export function toSlotMarker(
  tableName: string,
  { sheetKey, index }: Slot,
  payloadHash: string,
  expirySeconds: number,
): SlotMarker {
  return {
    kind: 'slot',
    itemId: toItemId(tableName, sheetKey),
    tableName,
    itemKey: toItem(sheetKey),
    bytes: 0,
    attribute: slotAttribute(index),
    value: toSlotValue(payloadHash),
    expirySeconds,
  };
}

/** Whether two slot values are equal. */
export function isSlotValue(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** The hash of the payload that a slot marks: the given one if it matches, else the stored prefix. */
export function hashOfSlot(slotValue: Uint8Array, payloadHash: string): string {
  return isSlotValue(slotValue, toSlotValue(payloadHash))
    ? payloadHash
    : Buffer.from(slotValue).toString('base64');
}
