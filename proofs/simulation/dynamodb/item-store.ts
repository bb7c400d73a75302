import { type Item, ValidationError } from '../../../fixtures/dynamodb-items.ts';
import type { Random } from '../../../fixtures/random.ts';

/** An item before and after a commit. Undefined if it doesn't exist. */
export interface Change {
  key: string;
  before: Item | undefined;
  after: Item | undefined;
}

const maxTtlLagMs = 48 * 3_600_000;
/** How long an eventually consistent read may miss a write. */
const staleForMs = 1_000;

interface Stored {
  item: Item | undefined;
  writtenMs: number;
  previous: Item | undefined;
  /** TTL deletes an item this long after its `ttl`. */
  ttlLagMs: number;
}

/** A table's items, with the keys PK and SK and the TTL attribute `ttl`. */
export class ItemStore {
  readonly #items = new Map<string, Stored>();
  readonly #random: Random;
  readonly #now: () => number;
  readonly #onCommit: (changes: Change[]) => void;

  constructor(random: Random, now: () => number, onCommit: (changes: Change[]) => void) {
    this.#random = random;
    this.#now = now;
    this.#onCommit = onCommit;
  }

  get(key: string): Item | undefined {
    return this.#find(key)?.item;
  }

  /** An eventually consistent read: sometimes the item before its last write. */
  getEventually(key: string): Item | undefined {
    const stored = this.#find(key);
    const isFresh = stored && this.#now() - stored.writtenMs < staleForMs;
    return isFresh && this.#random.chance(0.5) ? stored.previous : stored?.item;
  }

  /** Writes all items at one instant, or deletes them. */
  commit(items: Map<string, Item | undefined>, onCommit = this.#onCommit): void {
    const changes = [...items].map(([key, after]) => ({ key, before: this.get(key), after }));
    for (const { key, before, after } of changes) {
      this.#items.set(key, {
        item: after,
        writtenMs: this.#now(),
        previous: before,
        ttlLagMs: this.#random.fraction() * maxTtlLagMs,
      });
    }
    onCommit(changes);
  }

  *scan(): Generator<Item> {
    for (const key of [...this.#items.keys()]) {
      const item = this.get(key);
      if (item) yield item;
    }
  }

  #find(key: string): Stored | undefined {
    const stored = this.#items.get(key);
    const ttl = stored?.item?.ttl;
    if (!stored || !ttl || !('N' in ttl)) return stored;
    if (Number(ttl.N) * 1_000 + stored.ttlLagMs > this.#now()) return stored;
    this.#items.delete(key);
    return undefined;
  }
}

/** An item's string attribute, or an empty string. */
export function textOf(item: Item, attribute: string): string {
  const value = item[attribute];
  return value && 'S' in value ? value.S : '';
}

/** An item's number attribute, or NaN. */
export function numberOf(item: Item, attribute: string): number {
  const value = item[attribute];
  return value && 'N' in value ? Number(value.N) : Number.NaN;
}

/** An item's key, from its attributes or a request's Key. */
export function keyOf({ PK, SK }: Item): string {
  if (!PK || !('S' in PK) || !SK || !('S' in SK)) {
    throw new ValidationError('One or more parameter values were invalid: Type mismatch for key');
  }
  if (PK.S === '' || SK.S === '') {
    throw new ValidationError(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value.',
    );
  }
  return JSON.stringify([PK.S, SK.S]);
}
