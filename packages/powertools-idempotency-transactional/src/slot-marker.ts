import { toItem, toItemId } from './actions.ts';
import type { MarkerNames, SlotMarker } from './entry.ts';
import { invariant } from './invariant.ts';
import { isSlotValue, type Slot, slotAttribute, toSlotValue } from './sheets.ts';

const slotBytes = 5;

/** The marker of a payload in this slot. @throws {RangeError} if no sheet has the slot. */
export function toSlotMarker(
  { tableName, names }: { tableName: string; names: MarkerNames },
  { sheetKey, index }: Slot,
  payloadHash: string,
  expirySeconds: number,
): SlotMarker {
  const value = toSlotValue(payloadHash);
  // A layer that accepts changed payloads has no hashes. A sheet of longer values would cost more.
  const isWhole = payloadHash === '' || value.length === slotBytes;
  invariant(isWhole, `a slot's value of ${slotBytes} bytes`, value.length);
  return {
    kind: 'slot',
    itemId: toItemId(tableName, sheetKey),
    tableName,
    itemKey: toItem(sheetKey),
    bytes: 0,
    names,
    attribute: slotAttribute(index),
    value,
    expirySeconds,
  };
}

/** The hash of the payload that a slot marks: the given one if it matches, else the stored prefix. */
export function hashOfSlot(slotValue: Uint8Array, payloadHash: string): string {
  return isSlotValue(slotValue, toSlotValue(payloadHash))
    ? payloadHash
    : Buffer.from(slotValue).toString('base64');
}
