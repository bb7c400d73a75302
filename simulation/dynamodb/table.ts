import type { Random } from '../random.ts';

/** A DynamoDB item as it goes over the wire. */
export type Item = Record<string, AttributeValue>;
export type AttributeValue = { S: string } | { N: string };

/** One item before and after a commit; undefined where it did not exist. */
export interface Change {
  key: string;
  before: Item | undefined;
  after: Item;
}

const maxTtlLagMs = 48 * 3_600_000;
/** How long an eventually consistent read may miss a write. */
const staleForMs = 1_000;

interface Stored {
  item: Item;
  writtenMs: number;
  previous: Item | undefined;
  /** How long after its `ttl` the item is deleted. */
  ttlLagMs: number;
}

/** The items of one table with the keys PK and SK and the time-to-live attribute `ttl`. */
export class Table {
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

  /** What an eventually consistent read finds: now and then the item as it was before. */
  getEventually(key: string): Item | undefined {
    const stored = this.#find(key);
    const isFresh = stored && this.#now() - stored.writtenMs < staleForMs;
    return isFresh && this.#random.chance(0.5) ? stored.previous : stored?.item;
  }

  /** Writes all items at one instant. */
  commit(items: Map<string, Item>): void {
    const changes = [...items].map(([key, after]) => ({ key, before: this.get(key), after }));
    for (const { key, before, after } of changes) {
      this.#items.set(key, {
        item: after,
        writtenMs: this.#now(),
        previous: before,
        ttlLagMs: this.#random.fraction() * maxTtlLagMs,
      });
    }
    this.#onCommit(changes);
  }

  /** All items that are there now. */
  *scan(): Generator<Item> {
    for (const key of [...this.#items.keys()]) {
      const item = this.get(key);
      if (item) yield item;
    }
  }

  #find(key: string): Stored | undefined {
    const stored = this.#items.get(key);
    const ttl = stored?.item.ttl;
    if (!stored || !ttl || !('N' in ttl)) return stored;
    if (Number(ttl.N) * 1_000 + stored.ttlLagMs > this.#now()) return stored;
    this.#items.delete(key);
    return undefined;
  }
}

/** The key under which an item is kept, from its own attributes or from a request's Key. */
export function keyOf(attributes: Item): string {
  const { PK, SK } = attributes;
  if (!PK || !('S' in PK) || !SK || !('S' in SK)) {
    throw new ValidationError('One or more parameter values were invalid: Type mismatch for key');
  }
  checkKeySize(PK.S, 'hashkey', 2_048);
  checkKeySize(SK.S, 'rangekey', 1_024);
  return JSON.stringify([PK.S, SK.S]);
}

function checkKeySize(value: string, name: string, maxBytes: number): void {
  if (value === '') {
    throw new ValidationError(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value.',
    );
  }
  if (Buffer.byteLength(value) > maxBytes) {
    throw new ValidationError(
      `One or more parameter values were invalid: Size of ${name} has exceeded the maximum size limit of${maxBytes} bytes`,
    );
  }
}

/** A request that DynamoDB refuses before it does anything. */
export class ValidationError extends Error {}
