import { ValidationError } from '../../../fixtures/dynamodb-items.ts';
import { serviceError } from '../aws-service.ts';
import { keyOf, textOf } from './item-store.ts';
const maxKeys = 100;
export function getItem(items, { Key, ...mode }) {
    return answer({ Item: read(items, Key, mode), ConsumedCapacity: {} });
}
/** The first keys of a partition within a range. */
export function query(items, input) {
    const { KeyConditionExpression, ConsistentRead, ExpressionAttributeValues, Limit } = input;
    if (KeyConditionExpression !== 'PK = :pk AND SK BETWEEN :first AND :last' || !ConsistentRead) {
        throw new Error('expected a consistent query of a range: teach others to the model');
    }
    const [pk, first = '', last = ''] = Object.values(ExpressionAttributeValues).map(({ S }) => S);
    const found = [...items.scan()].flatMap((item) => {
        const key = { PK: textOf(item, 'PK'), SK: textOf(item, 'SK') };
        return key.PK === pk && first <= key.SK && key.SK <= last ? [key] : [];
    });
    const sorted = found.toSorted((a, b) => (a.SK < b.SK ? -1 : 1)).slice(0, Limit);
    return answer({ Items: sorted.map(({ PK, SK }) => ({ PK: { S: PK }, SK: { S: SK } })) });
}
/** Reads all items except throttled ones. It is an error if all are throttled. */
export function batchGetItem(items, { RequestItems }, isThrottled) {
    const [request, ...others] = Object.entries(RequestItems);
    if (!request || others.length > 0)
        throw new Error('expected one table: teach it to the model');
    const [table, { Keys, ...mode }] = request;
    const keys = new Set(Keys.map(keyOf));
    if (keys.size === 0 || keys.size > maxKeys || keys.size < Keys.length) {
        throw new ValidationError(`expected 1 to ${maxKeys} different keys; got ${Keys.length}`);
    }
    const unprocessed = Keys.filter(() => isThrottled());
    const processed = Keys.filter((key) => !unprocessed.includes(key));
    if (processed.length === 0) {
        return serviceError(400, 'ProvisionedThroughputExceededException', 'all keys were throttled');
    }
    const found = processed.map((key) => read(items, key, mode)).filter((item) => item !== undefined);
    return answer({
        // Their order is undefined.
        Responses: { [table]: found.reverse() },
        UnprocessedKeys: unprocessed.length > 0 ? { [table]: { Keys: unprocessed, ...mode } } : {},
    });
}
function read(items, Key, { ConsistentRead = false }) {
    const key = keyOf(Key);
    return ConsistentRead ? items.get(key) : items.getEventually(key);
}
/** A success. */
export function answer(body) {
    return { status: 200, body: JSON.stringify(body) };
}
