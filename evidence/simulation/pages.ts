import type { AttributeValue, Change, Item } from './dynamodb/item-store.ts';

const producer = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const pageKey = new RegExp(`^CLICKS#(${producer})#(0|[1-9]\\d*)$`);
const placedId = new RegExp(`^(${producer})\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d{0,2})$`);
const slotNames = Array.from({ length: 128 }, (_, slot) => {
  return `${'abcdefghijklm'[Math.floor(slot / 10)]}${slot % 10}`;
});
const slotNumbers = new Map(slotNames.map((name, slot) => [name, slot]));
const notSlots = new Set(['PK', 'SK', 'ttl']);

/** An item that holds marks: a marker holds one, a page those of many clicks. */
export interface MarkItem {
  /** The partition key. */
  key: string;
  ttlMs: number;
}

/** A page as it is now; another one if TTL deleted it since. */
interface Page extends MarkItem {
  /** Slots that somebody set by hand. */
  foreign: Set<string>;
}

/** A slot that the service set. */
export interface NewSlot {
  id: string;
  /** In base64. */
  value: string;
  page: MarkItem;
}

/** The partition key of the page of a click id, and its slot there; undefined for other ids. */
export function placeOf(id: string): { key: string; slot: string } | undefined {
  const [, name, page, number] = placedId.exec(id) ?? [];
  const slot = number && slotNames[Number(number)];
  return slot ? { key: `CLICKS#${name}#${page}`, slot } : undefined;
}

/** Follows the pages of markers, commit by commit. */
export class Pages {
  readonly #pages = new Map<string, Page>();

  /** The slots that a commit set, and what no commit may do to a page. */
  record({ before, after }: Change): { slots: NewSlot[]; problems: string[] } {
    const page = this.#follow(before, after);
    const problems = describeLosses(page.key, before, after);
    const slots: NewSlot[] = [];
    const [, name, number] = pageKey.exec(page.key) ?? [];
    for (const [attribute, value] of Object.entries(after)) {
      if (notSlots.has(attribute) || before?.[attribute]) continue;
      const slot = slotNumbers.get(attribute);
      if (name && slot !== undefined && 'B' in value) {
        slots.push({ id: `${name}.${number}.${slot}`, value: value.B, page });
      } else {
        problems.push(`${page.key} got the attribute ${attribute}`);
      }
    }
    if (slots.length === 0) problems.push(`${page.key} was written, but no slot was set`);
    return { slots, problems };
  }

  /** Somebody else than the service wrote a page. */
  recordByHand({ before, after }: Change): void {
    const page = this.#follow(before, after);
    for (const name in after) if (!before?.[name]) page.foreign.add(name);
  }

  /** Whether the slot of this id can be set, as far as nobody's hand has spoilt it. */
  isSound(id: string): boolean {
    const place = placeOf(id);
    const page = place && this.#pages.get(place.key);
    return !page || (Number.isFinite(page.ttlMs) && !page.foreign.has(place.slot));
  }

  #follow(before: Item | undefined, after: Item): Page {
    const key = after.PK && 'S' in after.PK ? after.PK.S : '';
    const known = before && this.#pages.get(key);
    const page = known ?? { key, ttlMs: 0, foreign: new Set() };
    page.ttlMs = ttlMsOf(after);
    this.#pages.set(key, page);
    return page;
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

function ttlMsOf({ ttl }: Item): number {
  return ttl && 'N' in ttl ? Number(ttl.N) * 1_000 : Number.NaN;
}
