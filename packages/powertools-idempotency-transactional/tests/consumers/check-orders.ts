// Books orders with the example's two functions, bundled as somebody would deploy them.
import { CreateTableCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Context, SQSEvent } from 'aws-lambda';
import { handler as bookOrders } from '../../examples/orders/book-orders.ts';
import { handler as createOrder } from '../../examples/orders/create-order.ts';

const dynamodb = new DynamoDBClient({});
const tableName = process.env.TABLE_NAME;
const context = { getRemainingTimeInMillis: () => 30_000 } as Context;

const deliver = (...bodies: string[]) => {
  const records = bodies.map((body, index) => ({ messageId: `message-${index}`, body }));
  return bookOrders({ Records: records } as unknown as SQSEvent, context);
};

const post = (body: string) => {
  const event = {
    headers: { 'idempotency-key': 'key-1' },
    body,
    isBase64Encoded: false,
    rawPath: '/orders',
    rawQueryString: '',
    requestContext: {
      http: { method: 'POST' },
      authorizer: { jwt: { claims: { sub: 'bob' } } },
    },
  };
  return createOrder(event as unknown as Parameters<typeof createOrder>[0], context);
};

async function readTotal(customer: string) {
  const Key = { PK: { S: `CUSTOMER#${customer}` }, SK: { S: 'TOTAL' } };
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: tableName, Key }));
  return Item?.cents?.N;
}

/** Each check, and whether it holds. */
async function check() {
  const names = ['PK', 'SK'];
  await dynamodb.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
    }),
  );
  const order = JSON.stringify({ id: 'order-1', customer: 'ada', cents: 250 });
  const first = await deliver(order, 'not an order');
  const repeated = await deliver(order);
  const created = await post('{"cents":7}');
  const createdAgain = await post('{"cents":7}');
  const changed = await post('{"cents":8}');
  const [failed] = first.batchItemFailures;
  return {
    'only the invalid message fails':
      first.batchItemFailures.length === 1 && failed?.itemIdentifier === 'message-1',
    'a redelivered order succeeds': repeated.batchItemFailures.length === 0,
    'the queue’s order is booked once': (await readTotal('ada')) === '250',
    'an order over HTTP is booked': Object(created).statusCode === 201,
    'its repeat gets the same response': Object(createdAgain).body === Object(created).body,
    'another order with its key is rejected': Object(changed).statusCode === 422,
    'the order over HTTP is booked once': (await readTotal('bob')) === '7',
  };
}

console.log(JSON.stringify(await check()));
