import { type Item, ValidationError } from '../../../fixtures/dynamodb-items.ts';
import type { Random } from '../../tools/random.ts';

/** An item before and after a commit. Undefined if it doesn't exist. */
export interface Change {
  key: string;
  before: Item | undefined;
  after: Item | undefined;
}

const maxTtlLagMs = 48 * 3_600_000;
/** How long an eventually consistent read may miss a write. */
export const staleForMs = 1_000;

interface Stored {
  item: Item | undefined;
  writtenMs: number;
  previous: Item | undefined;
  /** TTL deletes an item this long after its `ttl`. */
  ttlLagMs: number;
}

export type ItemStore = ReturnType<typeof createItemStore>;

/** A table's items, with the keys PK and SK and the TTL attribute `ttl`. */
export function createItemStore(
  random: Random,
  now: () => number,
  onCommit: (changes: Change[]) => void,
) {
  const all = new Map<string, Stored>();
  const find = (key: string): Stored | undefined => {
    const stored = all.get(key);
    const ttl = stored?.item?.ttl;
    if (!stored || !ttl || !('N' in ttl)) return stored;
    if (Number(ttl.N) * 1_000 + stored.ttlLagMs > now()) return stored;
    all.delete(key);
    return undefined;
  };
  const get = (key: string): Item | undefined => find(key)?.item;

  /** An eventually consistent read: sometimes the item before its last write. */
  const getEventually = (key: string): Item | undefined => {
    const stored = find(key);
    const isFresh = stored && now() - stored.writtenMs < staleForMs;
    return isFresh && random.chance(0.5) ? stored.previous : stored?.item;
  };

  /** Writes all items at one instant, or deletes them. */
  const commit = (items: Map<string, Item | undefined>, report = onCommit): void => {
    const changes = [...items].map(([key, after]) => ({ key, before: get(key), after }));
    for (const { key, before, after } of changes) {
      const ttlLagMs = random.fraction() * maxTtlLagMs;
      all.set(key, { item: after, writtenMs: now(), previous: before, ttlLagMs });
    }
    report(changes);
  };

  function* scan(): Generator<Item> {
    for (const key of [...all.keys()]) {
      const item = get(key);
      if (item) yield item;
    }
  }

  return { get, getEventually, commit, scan };
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
