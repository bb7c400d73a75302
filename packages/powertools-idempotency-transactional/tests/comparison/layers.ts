import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import {
  addUpDeliverySeconds,
  type Effects,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';

export interface Order {
  /** The idempotency key; an order without one has no key. */
  id?: string;
  customer: string;
  quantity: number;
}

/**
 * What the function does for an order: add its quantity to the customer's total; the same, if the
 * stock level suffices; the same, and answer with the new total; or call another service.
 */
export type Work = 'increment' | 'if-left' | 'answer-total' | 'call-service';

/** What the author writes around the work; any of it may throw, wait or never return. */
interface Steps {
  check(order: Order): void;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  callService(order: Order): Promise<unknown>;
}

interface Deployment {
  client: DynamoDBClient;
  tableName: string;
  /** The author's settings; each function adds what its layer needs. */
  config: IdempotencyConfigOptions;
  work: Work;
  steps: Steps;
}

const daySeconds = 86_400;
const markerTtlSeconds = addUpDeliverySeconds({
  queueRetentionSeconds: 4 * daySeconds,
  deadLetterRetentionSeconds: 14 * daySeconds,
});

export const totalKey = ({ customer }: Pick<Order, 'customer'>) => ({
  PK: `CUSTOMER#${customer}`,
  SK: 'TOTAL',
});

/** The function with Powertools' own layer: it does the work itself. */
function createPowertools({ client, tableName, config, work, steps }: Deployment) {
  const book = async (order: Order, _context?: Context) => {
    await steps.begin();
    steps.check(order);
    const answer = work === 'call-service' ? await call(order) : await update(order);
    await steps.end();
    return answer;
  };
  const call = async (order: Order) => {
    await steps.callService(order);
    return { booked: order.quantity };
  };
  const update = async (order: Order) => {
    const { ExpressionAttributeValues, ...rest } = work === 'if-left' ? sell(order) : add(order);
    const { Attributes = {} } = await client.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: marshall(totalKey(order)),
        ExpressionAttributeValues: marshall(ExpressionAttributeValues),
        ReturnValues: 'UPDATED_NEW',
        ...rest,
      }),
    );
    const { booked: total } = unmarshall(Attributes);
    return work === 'answer-total' ? { total } : { booked: order.quantity };
  };
  const keys = { keyAttr: 'PK', sortKeyAttr: 'SK' };
  return {
    persistenceStore: new DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client, ...keys }),
    config: new IdempotencyConfig({ eventKeyJmesPath: 'id', ...config }),
    book,
  };
}

/** The function with this package's layer: it declares the work, and the layer does it. */
function createOurs({ client, tableName, config: settings, work, steps }: Deployment) {
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    payloadValidationJmesPath: 'quantity',
    expiresAfterSeconds: markerTtlSeconds,
    ...settings,
  });
  const persistenceStore = new TransactionalPersistenceLayer<Order>({
    client,
    tableName,
    config,
    markerTtlSeconds: config.expiresAfterSeconds,
    markerKey: (key) => ({ PK: key, SK: 'MARKER' }),
    effects: (order) => {
      steps.check(order);
      return declareWork(work, order);
    },
  });
  const book = async (order: Order, _context?: Context) => {
    const answer = persistenceStore.responseOf(order);
    await steps.begin();
    if (work === 'call-service') await steps.callService(order);
    await steps.end();
    if (work !== 'answer-total') return answer;
    // The total is known only after the commit, so it can't be in the marker.
    const Key = marshall(totalKey(order));
    const read = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
    const { Item = {} } = await client.send(read);
    return { total: unmarshall(Item).booked };
  };
  return { persistenceStore, config, book };
}

function declareWork(work: Work, order: Order): Effects {
  const increments = [{ key: totalKey(order), attribute: 'booked', by: order.quantity }];
  const response = { booked: order.quantity };
  switch (work) {
    case 'increment':
      return { increments, response };
    case 'if-left':
      return { writes: [{ Update: { Key: totalKey(order), ...sell(order) } }], response };
    case 'answer-total':
      return { increments };
    case 'call-service':
      return { response };
  }
}

function add({ quantity }: Order) {
  return {
    UpdateExpression: 'ADD booked :more',
    ExpressionAttributeValues: { ':more': quantity },
  };
}

function sell({ quantity }: Order) {
  return {
    UpdateExpression: 'ADD booked :more, unsold :less',
    ConditionExpression: 'unsold >= :more',
    ExpressionAttributeValues: { ':more': quantity, ':less': -quantity },
  };
}

export const createFunction = { powertools: createPowertools, ours: createOurs };

export type Layer = keyof typeof createFunction;
