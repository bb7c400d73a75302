import { randomUUID } from 'node:crypto';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { TransactionalPersistenceLayer } from 'powertools-idempotency-transactional';
import { afterAll, beforeAll, expect, test } from 'vitest';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
if (!endpoint) {
  throw new Error('expected AWS_ENDPOINT_URL_DYNAMODB to be the URL of a local DynamoDB; got none');
}
const clientConfig = {
  endpoint,
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};
const dynamodb = new DynamoDBClient(clientConfig);
const tableName = `orders-${randomUUID()}`;

beforeAll(async () => {
  const createTable = new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  });
  await dynamodb.send(createTable);
});

afterAll(async () => {
  await dynamodb.send(new DeleteTableCommand({ TableName: tableName }));
});

test('an order that is delivered twice adds to its customer once', async () => {
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    payloadValidationJmesPath: '[customer, cents]',
    expiresAfterSeconds: 86_400,
  });
  interface Order {
    id: string;
    customer: string;
    cents: number;
  }
  const layer = new TransactionalPersistenceLayer<Order>({
    clientConfig,
    tableName,
    config,
    markerTtlSeconds: 86_400,
    effects: ({ customer, cents }) => ({
      increments: [{ key: { id: `CUSTOMER#${customer}` }, attribute: 'cents', by: cents }],
    }),
  });
  const bookOnce = makeIdempotent(
    async (order: Order, _context: object) => layer.receiptOf(order),
    { persistenceStore: layer, keyPrefix: 'BOOKING', config },
  );
  const context = { getRemainingTimeInMillis: () => 10_000 };

  await bookOnce({ id: '1', customer: 'ada', cents: 250 }, context);
  await bookOnce({ id: '1', customer: 'ada', cents: 250 }, context);

  const readCustomer = new GetItemCommand({
    TableName: tableName,
    Key: { id: { S: 'CUSTOMER#ada' } },
    ConsistentRead: true,
  });
  const { Item: customer } = await dynamodb.send(readCustomer);
  expect(customer?.cents).toEqual({ N: '250' });
});
