import { createHash } from 'node:crypto';
import type { AttributeValue, Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';

const producer = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const slotNumber = '(0|[1-9]\\d{0,2})';
const numberedId = new RegExp(`^(${producer})\\.(0|[1-9]\\d*)\\.${slotNumber}$`);
const sealedId = new RegExp(`^([\\w-]{22})\\.${slotNumber}\\.([\\w-]{22})$`);
const slotNames = Array.from({ length: 128 }, (_, slot) => {
  return `${'abcdefghijklm'[Math.floor(slot / 10)]}${slot % 10}`;
});
const notSlots = new Set(['PK', 'SK', 'ttl']);

/** An item that holds marks: a marker holds one, a sheet those of many clicks. */
export interface MarkItem {
  /** The partition key. */
  key: string;
  ttlMs: number;
}

/** A sheet as it is now; another one if TTL deleted it since. */
interface Sheet extends MarkItem {
  /** Slots that somebody set by hand. */
  foreign: Set<string>;
}

/** Where the mark of a click id is: the partition key of a sheet, and an attribute there. */
export interface Place {
  key: string;
  slot: string;
}

/** A slot that the service set. */
export interface NewSlot extends Place {
  /** In base64. */
  value: string;
  sheet: MarkItem;
}

/** The place of a click id; undefined for other ids. */
export function placeOf(id: string): Place | undefined {
  const [, sheet, number = '', seal = ''] = sealedId.exec(id) ?? [];
  if (sheet) {
    const slot = slotNames[Number(number)];
    return slot && chainOf(seal, Number(number))[0] === sheet
      ? { key: `CLICKS#${sheet}`, slot }
      : undefined;
  }
  const [, name, numberOfSheet, numberOfSlot = 'none'] = numberedId.exec(id) ?? [];
  const slot = slotNames[Number(numberOfSlot)];
  return slot ? { key: `CLICKS#${name}#${numberOfSheet}`, slot } : undefined;
}

/** The name of a sheet whose slot of this number has this seal, and the seals of its slots up to it. */
export function chainOf(seal: string, slot: number): string[] {
  const chain = [seal];
  while (chain.length < slot + 2) chain.push(hashSeal(chain.at(-1) ?? ''));
  return chain.reverse();
}

function hashSeal(seal: string): string {
  return createHash('sha256').update(seal).digest('base64url').slice(0, 22);
}

/** Follows the sheets of markers, commit by commit. */
export class Sheets {
  readonly #sheets = new Map<string, Sheet>();

  /** The slots that a commit set, and what no commit may do to a sheet. */
  record({ before, after }: Change): { slots: NewSlot[]; problems: string[] } {
    const sheet = this.#follow(before, after);
    const problems = describeLosses(sheet.key, before, after);
    const slots: NewSlot[] = [];
    for (const [attribute, value] of Object.entries(after)) {
      if (notSlots.has(attribute) || before?.[attribute]) continue;
      if (slotNames.includes(attribute) && 'B' in value) {
        slots.push({ key: sheet.key, slot: attribute, value: value.B, sheet });
      } else {
        problems.push(`${sheet.key} got the attribute ${attribute}`);
      }
    }
    if (slots.length === 0) problems.push(`${sheet.key} was written, but no slot was set`);
    return { slots, problems };
  }

  /** Somebody else than the service wrote a sheet. */
  recordByHand({ before, after }: Change): void {
    const sheet = this.#follow(before, after);
    for (const name in after) if (!before?.[name]) sheet.foreign.add(name);
  }

  /** Whether the slot of this id can be set, as far as nobody's hand has spoilt it. */
  isSound(id: string): boolean {
    const place = placeOf(id);
    const sheet = place && this.#sheets.get(place.key);
    return !sheet || (Number.isFinite(sheet.ttlMs) && !sheet.foreign.has(place.slot));
  }

  #follow(before: Item | undefined, after: Item): Sheet {
    const key = textOf(after, 'PK');
    const known = before && this.#sheets.get(key);
    const sheet = known ?? { key, ttlMs: 0, foreign: new Set() };
    sheet.ttlMs = ttlMsOf(after);
    this.#sheets.set(key, sheet);
    return sheet;
  }
}

function describeLosses(key: string, before: Item = {}, after: Item): string[] {
  const problems: string[] = [];
  for (const [attribute, value] of Object.entries(before)) {
    if (attribute === 'ttl') continue;
    if (!isSame(value, after[attribute])) problems.push(`${key} lost its ${attribute}`);
  }
  if (ttlMsOf(after) < ttlMsOf(before)) problems.push(`the ttl of ${key} moved back`);
  return problems;
}

// What a commit leaves alone is the same object before and after.
function isSame(before: AttributeValue, after: AttributeValue | undefined): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

function ttlMsOf(item: Item): number {
  return numberOf(item, 'ttl') * 1_000;
}
