/**
 * A sheet holds up to 128 markers: a condition on that many slots fits into DynamoDB's 4 KB.
 *
 * @example
 * ```ts
 * import { type Slot, slotsPerSheet } from 'powertools-idempotency-transactional/sheets';
 *
 * export const placeOrder = (producer: string, number: number): Slot => ({
 *   sheetKey: { PK: `ORDERS#${producer}#${Math.floor(number / slotsPerSheet)}`, SK: 'MARKERS' },
 *   index: number % slotsPerSheet,
 * });
 * ```
 */
export const slotsPerSheet = 128;

/**
 * One of the markers on a sheet.
 *
 * @example
 * ```ts
 * import type { Slot } from 'powertools-idempotency-transactional/sheets';
 *
 * export const first: Slot = { sheetKey: { PK: 'ORDERS#a', SK: 'MARKERS' }, index: 0 };
 * ```
 */
export interface Slot {
  /** The sheet's primary key. Its attributes are strings. */
  sheetKey: Record<string, string>;
  /** From 0 up to, but not including, {@link slotsPerSheet}. */
  index: number;
}

/**
 * The name of a slot's attribute: a letter and a digit, which is never a reserved word.
 *
 * @example
 * ```ts
 * import { slotAttribute } from 'powertools-idempotency-transactional/sheets';
 *
 * export const isTaken = (sheet: object, slot: number) => slotAttribute(slot) in sheet;
 * ```
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
 *
 * @example
 * ```ts
 * import { isSlotValue, toSlotValue } from 'powertools-idempotency-transactional/sheets';
 *
 * export const isSamePayload = (stored: Uint8Array, payloadHash: string) =>
 *   isSlotValue(stored, toSlotValue(payloadHash));
 * ```
 */
export function toSlotValue(payloadHash: string): Uint8Array {
  return Buffer.from(payloadHash, 'base64').subarray(0, 5);
}

/**
 * Whether two slot values are equal.
 *
 * @example
 * ```ts
 * import { isSlotValue } from 'powertools-idempotency-transactional/sheets';
 *
 * export const isSame = isSlotValue(Uint8Array.of(1, 2, 3, 4, 5), Uint8Array.of(1, 2, 3, 4, 5));
 * ```
 */
export function isSlotValue(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
