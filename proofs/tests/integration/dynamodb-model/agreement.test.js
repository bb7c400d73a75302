import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, TransactWriteCommand, } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { createModelClient } from './model-client.ts';
const engine = inject('engine');
const table = useTable();
const nowSeconds = 1800000000;
const expired = nowSeconds - 1;
const names = ['a', 'b', 'c', 'd'];
const tellsItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
/** Of the items' keys: no other case has it. */
let prefix = '';
const keyOf = (name) => ({ PK: `${prefix}#${name}`, SK: 'X' });
/** A marker, which must not exist or have expired. */
const marker = (name, attributes) => ({
    Put: {
        TableName: table.tableName,
        Item: { ...keyOf(name), ...attributes },
        ConditionExpression: 'attribute_not_exists(PK) OR #ttl < :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': nowSeconds },
        ...tellsItem,
    },
});
const put = (name, attributes) => ({
    Put: { TableName: table.tableName, Item: { ...keyOf(name), ...attributes } },
});
/** Adds one click to an item, but for these changes. */
const update = (name, changes) => ({
    Update: {
        TableName: table.tableName,
        Key: keyOf(name),
        UpdateExpression: 'ADD clicks :one',
        ExpressionAttributeValues: { ':one': 1 },
        ...changes,
    },
});
/** Adds one click to an item, unless it has this ttl. */
const updateUnless = (name, ttl) => update(name, {
    ConditionExpression: 'NOT #ttl = :ttl',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':one': 1, ':ttl': ttl },
    ...tellsItem,
});
/** Sets slots of a sheet, if they are free and its ttl doesn't move back. */
const setSlots = (name, [slots, ttl]) => {
    const areFree = slots.map((slot) => `attribute_not_exists(${slot}) AND `).join('');
    const values = slots.map((slot) => [`:${slot}`, Buffer.from(slot)]);
    return update(name, {
        UpdateExpression: `SET ${slots.map((slot) => `${slot} = :${slot}, `).join('')}#ttl = :ttl`,
        ConditionExpression: `${areFree}(attribute_not_exists(#ttl) OR #ttl <= :ttl)`,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ...Object.fromEntries(values), ':ttl': ttl },
        ...tellsItem,
    });
};
/** Counts values that a set of at most two has room for. All but the first may be new. */
const addValues = (name, [first = '', ...others]) => {
    const areMembers = others.map((value) => `contains(#set, :${value})`);
    const isFree = ['attribute_not_exists(#set)', ...areMembers].join(' OR ');
    return update(name, {
        UpdateExpression: 'ADD clicks :one, #set :values',
        ConditionExpression: `contains(#set, :${first}) OR size(#set) < :two OR ${isFree}`,
        ExpressionAttributeNames: { '#set': 'S' },
        ExpressionAttributeValues: {
            ...Object.fromEntries([first, ...others].map((value) => [`:${value}`, value])),
            ':one': 1,
            ':two': 2,
            ':values': new Set([first, ...others]),
        },
        ...tellsItem,
    });
};
/** Sends a transaction. Returns the consumed capacity, the reasons of a cancellation by position, or the error's name. */
async function transact(client, TransactItems, token) {
    const ClientRequestToken = token && `${prefix}-${token}`;
    const input = { TransactItems, ClientRequestToken, ReturnConsumedCapacity: 'TOTAL' };
    try {
        const { ConsumedCapacity = [] } = await client.send(new TransactWriteCommand(input));
        return ConsumedCapacity.map(({ TableName: _table, ...units }) => units);
    }
    catch (error) {
        if (!(error instanceof TransactionCanceledException))
            return error.name;
        return error.CancellationReasons?.map(({ Code, Item }) => Item ? [Code, unmarshall(Item).ttl] : Code);
    }
}
/** The existing items. */
async function readAll(client) {
    const request = { Keys: names.map(keyOf), ConsistentRead: true };
    const command = new BatchGetCommand({ RequestItems: { [table.tableName]: request } });
    const { Responses = {}, UnprocessedKeys } = await client.send(command);
    const items = Responses[table.tableName] ?? [];
    return [items.toSorted((a, b) => a.PK.localeCompare(b.PK)), UnprocessedKeys];
}
const ttls = fc.constantFrom(expired, nowSeconds, nowSeconds + 1);
/** Makes an action once its case, and so its key, is known. */
const made = (values, make) => values.map((value) => (name) => make(name, value));
/** What the service's transactions consist of. */
const action = fc.oneof(made(fc.record({ ttl: ttls }), marker), made(fc.constant({}), marker), made(fc.constantFrom(0, 1500, 3000), (name, bytes) => put(name, { ttl: nowSeconds, text: 'x'.repeat(bytes) })), made(fc.constant({}), update), made(fc.constant({ ConditionExpression: 'attribute_exists(PK)' }), update), made(ttls, updateUnless), made(fc.tuple(fc.subarray(['a0', 'a1', 'm7'], { minLength: 1 }), ttls), setSlots), made(fc.subarray(['s1', 's2', 's3', 's4'], { minLength: 1 }), addValues));
const transaction = fc.record({
    // DynamoDB Local also permits two actions on one item.
    actions: fc
        .subarray(names, { minLength: 1 })
        .chain((some) => fc.tuple(...some.map((name) => fc.tuple(fc.constant(name), action)))),
    token: fc.option(fc.constantFrom('first', 'second'), { nil: undefined }),
});
test(`a history of transactions has the same results in the model and in ${engine}`, async () => {
    const history = fc.array(transaction, { minLength: 1, maxLength: 8 });
    let cases = 0;
    await fc.assert(fc.asyncProperty(history, async (transactions) => {
        prefix = `case-${cases++}`;
        // A request with a token is sent again at once.
        const requests = transactions.flatMap((one) => (one.token ? [one, one] : [one]));
        const replay = async (client) => {
            const documents = DynamoDBDocumentClient.from(client);
            const results = [];
            for (const { actions, token } of requests) {
                const items = actions.map(([name, make]) => make(name));
                const result = await transact(documents, items, token);
                results.push(engine === 'dynamodb-local' ? hideUnits(result) : result);
            }
            return [results, await readAll(documents)];
        };
        const model = await replay(createModelClient());
        expect(await replay(table.client)).toEqual(model);
    }), { numRuns: 150, seed: 1 });
});
// DynamoDB Local doesn't distinguish writes from reads, and reports no units for a new item.
function hideUnits(result) {
    return result?.[0] instanceof Object && 'CapacityUnits' in result[0] ? 'committed' : result;
}
