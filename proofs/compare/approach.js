import { ConditionalCheckFailedException, PutItemCommand, UpdateItemCommand, } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { clickTransaction, isDuplicate, readClick, } from '../../hand-rolled/click-transaction.ts';
import { dayKey, linkKey } from '../../lib/keys.ts';
/** Handles one record after another and reports the failed ones, as Lambda's guide shows. */
export async function handleEach(event, handle) {
    const batchItemFailures = [];
    for (const record of event.Records) {
        try {
            await handle(record);
        }
        catch {
            batchItemFailures.push({ itemIdentifier: record.messageId });
        }
    }
    return { batchItemFailures };
}
/** Counts a click in a transaction. Only a failed condition at its marker means duplicate. */
export async function countOnce({ client, tableName }, click) {
    try {
        await client.send(clickTransaction(tableName, click));
    }
    catch (error) {
        if (!isDuplicate(error))
            throw error;
    }
}
/** Claims the key of a record for this time, then does the work. */
export function claim(sortKey, ttlSeconds, keyOf) {
    return (tools) => (event) => handleEach(event, async (record) => {
        const click = readClick(record.body);
        const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
        const item = { PK: `${sortKey}#${keyOf(record)}`, SK: sortKey, ttl };
        if (await putOnce(tools, item))
            await tools.work(click);
    });
}
/** Puts a new item. Returns false if its key is taken. */
export async function putOnce({ client, tableName: TableName }, item) {
    const ConditionExpression = 'attribute_not_exists(PK)';
    try {
        await client.send(new PutItemCommand({ TableName, Item: marshall(item), ConditionExpression }));
        return true;
    }
    catch (error) {
        if (error instanceof ConditionalCheckFailedException)
            return false;
        throw error;
    }
}
/** Returns the work that increments the link's total and the day's count. */
export function createCountWork(client, TableName) {
    const ExpressionAttributeValues = marshall({ ':one': 1 });
    const increment = async (key, attribute) => {
        await client.send(new UpdateItemCommand({
            TableName,
            Key: marshall(key),
            UpdateExpression: 'ADD #attribute :one',
            ExpressionAttributeNames: { '#attribute': attribute },
            ExpressionAttributeValues,
        }));
    };
    return async ({ code, day }) => {
        await increment(linkKey(code), 'clicks');
        await increment(dayKey(code, day), 'count');
    };
}
