import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
const table = new DynamoDBClient();
const bus = new EventBridgeClient();
/** The least that redirects and publishes a click: no cache, fallback, validation, breakdowns or log. */
export async function handler({ pathParameters }) {
    const code = pathParameters?.code ?? '';
    const Key = { PK: { S: `LINK#${code}` }, SK: { S: 'META' } };
    const { Item } = await table.send(new GetItemCommand({ TableName: process.env.TABLE_NAME, Key }));
    const location = Item?.url?.S;
    if (!location)
        return { statusCode: 404 };
    const Detail = JSON.stringify({ code, at: new Date().toISOString() });
    const entry = { Source: 'click-tally', DetailType: 'link.clicked', Detail };
    await bus.send(new PutEventsCommand({ Entries: [{ EventBusName: process.env.BUS_NAME, ...entry }] }));
    return { statusCode: 302, headers: { location } };
}
