import { ValidationError } from '../../../fixtures/dynamodb-items.ts';
const maxTtlLagMs = 48 * 3600000;
/** How long an eventually consistent read may miss a write. */
const staleForMs = 1000;
/** A table's items, with the keys PK and SK and the TTL attribute `ttl`. */
export function createItemStore(random, now, onCommit) {
    const all = new Map();
    const find = (key) => {
        const stored = all.get(key);
        const ttl = stored?.item?.ttl;
        if (!stored || !ttl || !('N' in ttl))
            return stored;
        if (Number(ttl.N) * 1000 + stored.ttlLagMs > now())
            return stored;
        all.delete(key);
        return undefined;
    };
    const get = (key) => find(key)?.item;
    /** An eventually consistent read: sometimes the item before its last write. */
    const getEventually = (key) => {
        const stored = find(key);
        const isFresh = stored && now() - stored.writtenMs < staleForMs;
        return isFresh && random.chance(0.5) ? stored.previous : stored?.item;
    };
    /** Writes all items at one instant, or deletes them. */
    const commit = (items, report = onCommit) => {
        const changes = [...items].map(([key, after]) => ({ key, before: get(key), after }));
        for (const { key, before, after } of changes) {
            const ttlLagMs = random.fraction() * maxTtlLagMs;
            all.set(key, { item: after, writtenMs: now(), previous: before, ttlLagMs });
        }
        report(changes);
    };
    function* scan() {
        for (const key of [...all.keys()]) {
            const item = get(key);
            if (item)
                yield item;
        }
    }
    return { get, getEventually, commit, scan };
}
/** An item's string attribute, or an empty string. */
export function textOf(item, attribute) {
    const value = item[attribute];
    return value && 'S' in value ? value.S : '';
}
/** An item's number attribute, or NaN. */
export function numberOf(item, attribute) {
    const value = item[attribute];
    return value && 'N' in value ? Number(value.N) : Number.NaN;
}
/** An item's key, from its attributes or a request's Key. */
export function keyOf({ PK, SK }) {
    if (!PK || !('S' in PK) || !SK || !('S' in SK)) {
        throw new ValidationError('One or more parameter values were invalid: Type mismatch for key');
    }
    if (PK.S === '' || SK.S === '') {
        throw new ValidationError('One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value.');
    }
    return JSON.stringify([PK.S, SK.S]);
}
