import { type SlotMarker, toItem, toItemId } from './entry.ts';

/** How many markers a sheet holds. The condition that they are free fits into 4 KB. */
export const slotsPerSheet = 128;

/** Where on a sheet of markers a key has its marker. */
export interface Place {
  /** The sheet's primary key; all its attributes are strings. */
  key: Record<string, string>;
  /** From 0 up to, but not including, {@link slotsPerSheet}. */
  slot: number;
}

/**
 * The attribute of a slot. A letter and a digit are never a reserved word.
 *
 * @throws {RangeError} for a slot that no sheet has.
 */
export function slotAttribute(slot: number): string {
  if (!Number.isInteger(slot) || slot < 0 || slot >= slotsPerSheet) {
    throw new RangeError(`expected a slot from 0 to ${slotsPerSheet - 1}; got ${slot}`);
  }
  const letter = String.fromCharCode('a'.charCodeAt(0) + Math.floor(slot / 10));
  return `${letter}${slot % 10}`;
}

/** Whether a slot's attribute could have this name. */
export function isSlotAttribute(name: string): boolean {
  return /^[a-m]\d$/.test(name);
}

/** What a slot holds: the first four bytes of the payload's hash, which is given in base64. */
export function toSlotValue(payloadHash: string): Uint8Array {
  return Buffer.from(payloadHash, 'base64').subarray(0, 4);
}

/** The marker of a payload at a place. @throws {RangeError} for a slot that no sheet has. */
export function toSlotMarker(
  { key, slot }: Place,
  payloadHash: string,
  expirySeconds: number,
): SlotMarker {
  return {
    kind: 'slot',
    sheetId: toItemId(key),
    itemKey: toItem(key),
    attribute: slotAttribute(slot),
    value: toSlotValue(payloadHash),
    expirySeconds,
  };
}

/** Whether two slots hold the same. */
export function isSlotValue(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** The hash of the payload that a slot marks: the given one, or as much as the slot holds. */
export function hashOfSlot(slotValue: Uint8Array, payloadHash: string): string {
  return isSlotValue(slotValue, toSlotValue(payloadHash))
    ? payloadHash
    : Buffer.from(slotValue).toString('base64');
}
