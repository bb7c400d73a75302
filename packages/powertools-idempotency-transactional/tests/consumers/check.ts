// The program of every consumer: it books an order, repeats it, changes it, and checks which classes its errors have. It
// runs as an ES module and as CommonJS.
import { randomUUID } from 'node:crypto';
import {
  IdempotencyConfig,
  IdempotencyItemAlreadyExistsError,
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer } from '@aws-lambda-powertools/idempotency/persistence';
import { CreateTableCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  ConditionFailedError,
  InvalidEffectsError,
  isTransientError,
  ReceiptMissingError,
  TransactionalPersistenceLayer,
  UnsafeConfigurationError,
} from 'powertools-idempotency-transactional';

interface Order {
  id: string;
  customer: string;
  cents: number;
}

const tableName = randomUUID();
const customer = 'ada';
const config = new IdempotencyConfig({
  eventKeyJmesPath: 'id',
  throwOnNoIdempotencyKey: true,
  payloadValidationJmesPath: '[customer, cents]',
  expiresAfterSeconds: 1_000,
});
const layer = new TransactionalPersistenceLayer<Order>({
  tableName,
  config,
  markerTtlSeconds: 1_000,
  keyAttr: 'PK',
  sortKeyAttr: 'SK',
  staticSkValue: 'MARKER',
  effects: ({ id, cents }) => ({
    increments: [{ key: { PK: customer, SK: 'TOTAL' }, attribute: 'cents', by: cents }],
    writes: [
      {
        Put: {
          Item: { ...(id !== 'keyless' && { PK: id }), SK: 'ORDER' },
          ...(id === 'rejected' && { ConditionExpression: 'attribute_exists(PK)' }),
        },
      },
    ],
    response: `booked ${id}`,
  }),
});
const context = { getRemainingTimeInMillis: () => 30_000 };
const bookOnce: (order: Order, context: object) => Promise<unknown> = makeIdempotent(
  async (order: Order, _context: object) => layer.responseOf(order),
  { persistenceStore: layer, config, keyPrefix: 'ORDER' },
);

const fail = (run: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(run)
    .then(
      () => undefined,
      (error) => error,
    );
const causeOf = (error: unknown) => (error instanceof Error ? error.cause : undefined);

/** Each check, and whether it holds. */
async function check() {
  const dynamodb = new DynamoDBClient({});
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
  const order = { id: 'order-1', customer, cents: 250 };
  const first = await bookOnce(order, context);
  const repeated = await bookOnce({ ...order }, context);
  const changed = await fail(() => bookOnce({ ...order, cents: 300 }, context));
  const known = await fail(() => layer.saveInProgress({ ...order }, 30_000));
  const keyless = await fail(() => bookOnce({ ...order, id: 'keyless' }, context));
  const rejected = await fail(() => bookOnce({ ...order, id: 'rejected' }, context));
  const bypassed = await fail(() => layer.receiptOf({ ...order }));
  const unsafe = await fail(() =>
    layer.configure({ config: new IdempotencyConfig({ expiresAfterSeconds: 1 }) }),
  );
  const Key = { PK: { S: customer }, SK: { S: 'TOTAL' } };
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: tableName, Key }));
  return {
    'the order is booked': first === 'booked order-1',
    'its copy gets the same response': repeated === 'booked order-1',
    'the total is that of one order': Item?.cents?.N === '250',
    BasePersistenceLayer: layer instanceof BasePersistenceLayer,
    IdempotencyValidationError: changed instanceof IdempotencyValidationError,
    IdempotencyItemAlreadyExistsError: known instanceof IdempotencyItemAlreadyExistsError,
    IdempotencyPersistenceLayerError: rejected instanceof IdempotencyPersistenceLayerError,
    InvalidEffectsError: causeOf(keyless) instanceof InvalidEffectsError,
    ConditionFailedError: causeOf(rejected) instanceof ConditionFailedError,
    ReceiptMissingError: bypassed instanceof ReceiptMissingError,
    UnsafeConfigurationError: unsafe instanceof UnsafeConfigurationError,
    'a rejection is not transient': !isTransientError(rejected),
  };
}

check().then(
  (checked) => console.log(JSON.stringify(checked)),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
