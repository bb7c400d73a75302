import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  type Entry,
  type Item,
  type ItemMarker,
  type Marker,
  type Outcome,
  type SlotMarker,
  toSeconds,
} from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import { printKey } from './print-key.ts';
import { contentionOf, outcomeFor, type Reading, toNative } from './reading.ts';
import { hashOfSlot } from './slot-marker.ts';
import type { Shared } from './transaction.ts';

/** Reads the item that a marker's condition failed at. */
export function readMarker({ parts }: Shared<ItemMarker>, item: Item, nowMs: number): Reading {
  const [{ entry, part: marker }] = parts;
  const { names, itemKey } = marker;
  const expirySeconds = Number(item[names.expiry]?.N);
  if (expirySeconds < toSeconds(nowMs)) {
    return { markers: new Map([[entry, { ...marker, mayReplace: true }]]) };
  }
  const stored = item[names.response];
  const response = stored && toNative({ stored })?.stored;
  if (stored && response === undefined) {
    const name = `${names.response} of the marker ${printKey(itemKey)}`;
    const expected = `expected ${name} to be a response; got another value`;
    return outcomeFor(parts, new CommitRejectedError(expected));
  }
  const payloadHash = item[names.hash]?.S;
  return outcomeFor(parts, { kind: 'duplicate', payloadHash, expirySeconds, response });
}

/** Another version of the layer may write other slots. Their payload isn't known, so they're no verdict. */
function unknownSlotError({ attribute, itemKey, value }: SlotMarker, stored: AttributeValue) {
  const name = `${attribute} of the sheet ${printKey(itemKey)}`;
  return new CommitRejectedError(
    `expected ${name} to be ${value.length} bytes; got ${stored.B?.length ?? 'another type'}. ` +
      'Another version may have written it: deploy that version again.',
  );
}

/**
 * Reads the sheet that a condition failed at. A slot that is set blocks its key as long as its sheet exists.
 * The other entries only have to keep the sheet alive as long as it already should be.
 */
export function readSheet(action: Shared<SlotMarker>, sheet: Item, nowMs: number): Reading {
  const { itemKey, names } = action.parts[0].part;
  const expiry = sheet[names.expiry];
  const expirySeconds = expiry ? Number(expiry.N) : 0;
  // A larger number loses digits in JavaScript, and then comparisons with it don't hold.
  const isReadable = expirySeconds <= Number.MAX_SAFE_INTEGER;
  const outcomes = new Map<Entry, Outcome>();
  const markers = new Map<Entry, Marker>();
  for (const { entry, part: slot } of action.parts) {
    const stored = sheet[slot.attribute];
    if (stored && stored.B?.length !== slot.value.length) {
      outcomes.set(entry, unknownSlotError(slot, stored));
    } else if (stored) {
      const slotValue = stored.B ?? new Uint8Array();
      const payloadHash = hashOfSlot(slotValue, entry.payloadHash);
      const blockedUntil = Math.max(expirySeconds, toSeconds(nowMs) + 1);
      const duplicate = { payloadHash, slotValue, expirySeconds: blockedUntil };
      outcomes.set(entry, { kind: 'duplicate', ...duplicate });
    } else if (isReadable && slot.expirySeconds < expirySeconds) {
      markers.set(entry, { ...slot, expirySeconds });
    }
  }
  if (outcomes.size > 0 || markers.size > 0) return { outcomes, markers };
  if (isReadable) return contentionOf(action.parts);
  const name = `${names.expiry} of the sheet ${printKey(itemKey)}`;
  const got = JSON.stringify(expiry);
  const error = new CommitRejectedError(`expected ${name} to be epoch seconds; got ${got}`);
  return outcomeFor(action.parts, error);
}
