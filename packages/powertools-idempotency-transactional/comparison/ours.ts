import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import {
  addUpDeliverySeconds,
  type Effects,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';
import { type CreateFunction, type Deployment, type Order, totalKey, type Work } from './side.ts';

const daySeconds = 86_400;
const deliverySeconds = addUpDeliverySeconds({
  queueRetentionSeconds: 4 * daySeconds,
  deadLetterRetentionSeconds: 14 * daySeconds,
});

/** The function with this layer: it declares the work, and the layer does it. */
export const createOurs: CreateFunction = (deployment) => {
  const { client, orderTable, steps } = deployment;
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    payloadValidationJmesPath: 'quantity',
    expiresAfterSeconds: deliverySeconds,
    ...deployment.config,
  });
  const persistenceStore = new TransactionalPersistenceLayer<Order>({
    client,
    tableName: orderTable,
    config,
    markerTtlSeconds: config.expiresAfterSeconds,
    markerKey: (key) => ({ PK: key, SK: 'MARKER' }),
    effects: (order) => {
      steps.check(order);
      return declareWork(deployment.work, order);
    },
  });
  const book = async (order: Order, _context?: Context) => {
    const answer = persistenceStore.responseOf(order);
    await steps.begin();
    if (deployment.work === 'call-service') await steps.callService(order);
    await steps.end();
    return deployment.work === 'answer-total' ? readTotal(deployment, order) : answer;
  };
  return { persistenceStore, config, book };
};

function declareWork(work: Work, order: Order): Effects {
  const { quantity } = order;
  const response = { booked: quantity };
  switch (work) {
    case 'call-service':
      return { response };
    case 'if-left':
      return { writes: [{ Update: sellIfLeft(order) }], response };
    case 'increment':
      return { increments: [increment(order)], response };
    case 'answer-total':
      return { increments: [increment(order)] };
  }
}

function increment(order: Order) {
  return { key: totalKey(order), attribute: 'booked', by: order.quantity };
}

function sellIfLeft(order: Order) {
  return {
    Key: totalKey(order),
    UpdateExpression: 'ADD booked :more, unsold :less',
    ConditionExpression: 'unsold >= :more',
    ExpressionAttributeValues: { ':more': order.quantity, ':less': -order.quantity },
  };
}

// The total is known only after the commit, so it cannot be in the marker.
async function readTotal({ client, orderTable }: Deployment, order: Order) {
  const Key = marshall(totalKey(order));
  const read = new GetItemCommand({ TableName: orderTable, Key, ConsistentRead: true });
  const { Item = {} } = await client.send(read);
  return { total: unmarshall(Item).booked };
}
