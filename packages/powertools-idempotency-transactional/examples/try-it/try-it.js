import { CreateTableCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { handler } from './book-orders.js';

const dynamodb = new DynamoDBClient();
const { TABLE_NAME: tableName } = process.env;
const createTable = new CreateTableCommand({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
});
await dynamodb.send(createTable).catch((error) => {
  if (error.name !== 'ResourceInUseException') throw error;
});

if (process.argv[2] === 'crash') {
  const { send } = DynamoDBClient.prototype;
  DynamoDBClient.prototype.send = async function (command) {
    await send.call(this, command);
    process.kill(process.pid, 'SIGKILL');
  };
}
const body = JSON.stringify({ id: 'order-1', customer: 'ada', cents: 250 });
const context = { getRemainingTimeInMillis: () => 10_000 };
console.log(await handler({ Records: [{ messageId: '1', body }] }, context));

const customerKey = { PK: { S: 'CUSTOMER#ada' }, SK: { S: 'TOTAL' } };
const { Item } = await dynamodb.send(
  new GetItemCommand({ TableName: tableName, Key: customerKey }),
);
console.log(`cents: ${Item.cents.N}`);
