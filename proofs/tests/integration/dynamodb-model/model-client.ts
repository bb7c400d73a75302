import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HttpRequest } from '@smithy/types';
import type { Answer } from '../../../simulation/aws-service.ts';
import { DynamoDb } from '../../../simulation/dynamodb/dynamodb.ts';
import { createItemStore } from '../../../simulation/dynamodb/item-store.ts';
import { readRequest, toResponse } from '../../../simulation/network.ts';
import { createRandom } from '../../../tools/random.ts';

/** A real client on the model of DynamoDB, with an empty table and no faults. */
export function createModelClient(): DynamoDBClient {
  const random = createRandom(1, 'model');
  const model = new DynamoDb({
    items: createItemStore(random, Date.now, () => {}),
    time: { nowMs: Date.now(), after: soon },
    random,
    faults: { happens: () => false },
    statistics: { add: () => {} },
    throttleRate: 0,
    bareRejectionShare: 0,
  });
  const handle = async (request: HttpRequest) => {
    const { operation, input } = readRequest(request);
    const { status, body } = await new Promise<Answer>((resolve) =>
      model.handle(operation, input, resolve),
    );
    return { response: toResponse(status, body) };
  };
  return new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'model', secretAccessKey: 'model' },
    maxAttempts: 1,
    requestHandler: { handle },
  });
}

function soon(_delayMs: number, action: () => void): () => void {
  const timer = setImmediate(action);
  return () => clearImmediate(timer);
}
