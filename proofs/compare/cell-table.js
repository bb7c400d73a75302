import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, paginateScan, } from '@aws-sdk/lib-dynamodb';
import { chunk } from '../../lib/chunk.ts';
import { linkKey } from '../../lib/keys.ts';
import { createTable } from '../../local/engines/create-table.ts';
/** DynamoDB's limit for one BatchWriteItem. */
const maxPuts = 25;
/** Creates a ClickTable with this name and these links. It has no stream, because dynoxide slows down with one. */
export async function createCellTable(client, template, TableName, codes) {
    await createTable(client, template, TableName, { hasStream: false });
    const documents = DynamoDBDocumentClient.from(client);
    const puts = codes.map((code) => ({
        PutRequest: { Item: { ...linkKey(code), url: 'https://example.com', clicks: 0 } },
    }));
    for (const some of chunk(puts, maxPuts)) {
        await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: some } }));
    }
    const readAll = async () => {
        const items = [];
        const pages = paginateScan({ client: documents }, { TableName, ConsistentRead: true });
        for await (const { Items = [] } of pages)
            items.push(...Items);
        return items;
    };
    /** Deletes expired items, as TTL does eventually. */
    const expire = async (nowMs) => {
        for (const { PK, SK, ttl } of await readAll()) {
            if (typeof ttl !== 'number' || ttl * 1000 >= nowMs)
                continue;
            await documents.send(new DeleteCommand({ TableName, Key: { PK, SK } }));
        }
    };
    const remove = async () => {
        await client.send(new DeleteTableCommand({ TableName }));
    };
    return { readAll, expire, remove };
}
