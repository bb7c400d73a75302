import { createHash } from 'node:crypto';
import type { AttributeValue, Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';

const sealedId = /^([\w-]{22})\.(0|[1-9]\d{0,2})\.([\w-]{22})$/;
const slotNames = Array.from({ length: 128 }, (_, slot) => {
  return `${'abcdefghijklm'[Math.floor(slot / 10)]}${slot % 10}`;
});
const notSlots = new Set(['PK', 'SK', 'ttl']);

/** An item with marks: one in a marker, or many in a sheet. */
export interface MarkItem {
  /** The partition key. */
  key: string;
  ttlMs: number;
}

/** A current sheet. It is a new one if TTL has deleted it. */
interface Sheet extends MarkItem {
  /** Slots that were set by hand. */
  foreign: Set<string>;
}

/** The place of a click id's mark: a sheet's partition key and an attribute. */
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

/** A click id's place. Undefined for other ids. */
export function placeOf(id: string): Place | undefined {
  const [, sheet, number = 'none', seal = ''] = sealedId.exec(id) ?? [];
  const slot = slotNames[Number(number)];
  return slot && chainOf(seal, Number(number))[0] === sheet
    ? { key: `CLICKS#${sheet}`, slot }
    : undefined;
}

/** The name of the sheet with this seal in this slot, and the seals of its slots up to it. */
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

  /** Returns the slots that a commit set, and its violations. */
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

  /** A sheet was written by hand. */
  recordByHand({ before, after }: Change): void {
    const sheet = this.#follow(before, after);
    for (const name in after) if (!before?.[name]) sheet.foreign.add(name);
  }

  /** Whether this id's slot has not been spoilt by hand. */
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

// An unchanged value is the same object before and after a commit.
function isSame(before: AttributeValue, after: AttributeValue | undefined): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

function ttlMsOf(item: Item): number {
  return numberOf(item, 'ttl') * 1_000;
}
