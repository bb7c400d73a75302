import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Slot, slotsPerSheet } from 'powertools-idempotency-transactional/sheets';
import { invariant } from '../invariant.ts';
import { clickKeyPrefix, clickSheetKey } from '../keys.ts';

/** A sheet of markers, and the seal of each slot. */
export interface SealedSheet {
  id: string;
  seals: readonly string[];
}

/**
 * Opens a sheet. Its seals form a hash chain (Lamport, 1981): each seal is the hash of the next
 * slot's seal, and the sheet's id is the hash of the first. So an id proves that the sheet's owner
 * minted it. It reveals the ids of earlier slots, but not those of later ones.
 */
export function openSheet(seed: string = mintSeed()): SealedSheet {
  const seals: string[] = [];
  let seal = seed;
  for (let slot = slotsPerSheet - 1; slot >= 0; slot -= 1) {
    seals[slot] = seal;
    seal = hashSeal(seal);
  }
  return { id: seal, seals };
}

/** The last seal of a new sheet: 128 random bits. */
export function mintSeed(): string {
  return randomBytes(16).toString('base64url');
}

/** The click id whose marker is this slot. */
export function placedClickId({ id, seals }: SealedSheet, slot: number): string {
  const seal = seals[slot];
  // Without its seal, anybody could guess the id.
  invariant(seal?.length === sealLength, `a slot with a seal of ${sealLength} characters`, slot);
  return `${id}.${slot}.${seal}`;
}

const sealLength = 22;
const seal = `[\\w-]{${sealLength}}`;
const sealedId = new RegExp(`^${clickKeyPrefix}#(${seal})\\.(0|[1-9]\\d{0,2})\\.(${seal})$`);

/**
 * The sheet and slot of a click's marker, from the idempotency key `CLICK#<click id>`. Undefined if
 * the marker is a separate item. Only one spelling of an id maps to a slot, so each slot belongs to
 * one id.
 */
export function clickSlot(idempotencyKey: string): Slot | undefined {
  const [, sheet = '', number = '', seal = ''] = sealedId.exec(idempotencyKey) ?? [];
  const index = Number(number);
  if (sheet === '' || index >= slotsPerSheet || !isSealed(sheet, index, seal)) return undefined;
  return { sheetKey: clickSheetKey(sheet), index };
}

/** The known seals of each sheet, from its first slot on, so each is derived once. */
const knownSeals = new LRUCache<string, readonly string[]>({ max: 1_000 });

function isSealed(sheet: string, slot: number, seal: string): boolean {
  const known = knownSeals.get(sheet) ?? [];
  if (slot < known.length) return known[slot] === seal;
  const seals = [...known];
  let derived = seal;
  for (let index = slot; index >= known.length; index -= 1) {
    seals[index] = derived;
    derived = hashSeal(derived);
  }
  if (derived !== (known.at(-1) ?? sheet)) return false;
  knownSeals.set(sheet, seals);
  return true;
}

function hashSeal(seal: string): string {
  return hash('sha256', seal, 'base64url').slice(0, sealLength);
}
