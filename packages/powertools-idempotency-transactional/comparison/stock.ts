import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type CreateFunction, type Deployment, type Order, totalKey } from './side.ts';

/** The function with Powertools' own layer: it does the work itself. */
export const createStock: CreateFunction = (deployment) => {
  const { client, recordTable, config, steps } = deployment;
  const book = async (order: Order) => {
    await steps.begin();
    steps.check(order);
    const answer = await doWork(deployment, order);
    await steps.end();
    return answer;
  };
  return {
    persistenceStore: new DynamoDBPersistenceLayer({
      tableName: recordTable,
      awsSdkV3Client: client,
    }),
    config: new IdempotencyConfig({ eventKeyJmesPath: 'id', ...config }),
    book,
  };
};

async function doWork({ client, orderTable, work, steps }: Deployment, order: Order) {
  const { quantity } = order;
  if (work === 'call-service') {
    await steps.callService(order);
    return { booked: quantity };
  }
  const isLimited = work === 'if-left';
  const { Attributes = {} } = await client.send(
    new UpdateItemCommand({
      TableName: orderTable,
      Key: marshall(totalKey(order)),
      UpdateExpression: isLimited ? 'ADD booked :more, unsold :less' : 'ADD booked :more',
      ConditionExpression: isLimited ? 'unsold >= :more' : undefined,
      ExpressionAttributeValues: marshall({
        ':more': quantity,
        ...(isLimited && { ':less': -quantity }),
      }),
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return work === 'answer-total' ? { total: unmarshall(Attributes).booked } : { booked: quantity };
}
