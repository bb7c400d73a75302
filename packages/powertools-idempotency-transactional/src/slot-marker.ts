import { toItem, toItemId } from './actions.ts';
import type { MarkerNames, SlotMarker } from './entry.ts';
import { isSlotValue, type Slot, slotAttribute, toSlotValue } from './sheets.ts';

/** The marker of a payload in this slot. @throws {RangeError} if no sheet has the slot. */
export function toSlotMarker(
  { tableName, names }: { tableName: string; names: MarkerNames },
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
    names,
    attribute: slotAttribute(index),
    value: toSlotValue(payloadHash),
    expirySeconds,
  };
}

/** The hash of the payload that a slot marks: the given one if it matches, else the stored prefix. */
export function hashOfSlot(slotValue: Uint8Array, payloadHash: string): string {
  return isSlotValue(slotValue, toSlotValue(payloadHash))
    ? payloadHash
    : Buffer.from(slotValue).toString('base64');
}
