import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDb } from '../../../simulation/dynamodb/dynamodb.ts';
import { createItemStore } from '../../../simulation/dynamodb/item-store.ts';
import { readRequest, toResponse } from '../../../simulation/network.ts';
import { createRandom } from '../../../tools/random.ts';
/** A real client on the model of DynamoDB, with an empty table and no faults. */
export function createModelClient() {
    const random = createRandom(1, 'model');
    const model = new DynamoDb({
        items: createItemStore(random, Date.now, () => { }),
        time: { nowMs: Date.now(), after: soon },
        random,
        faults: { happens: () => false },
        statistics: { add: () => { } },
        throttleRate: 0,
        bareRefusalShare: 0,
    });
    const handle = async (request) => {
        const { operation, input } = readRequest(request);
        const { status, body } = await new Promise((resolve) => model.handle(operation, input, resolve));
        return { response: toResponse(status, body) };
    };
    return new DynamoDBClient({
        region: 'us-east-1',
        credentials: { accessKeyId: 'model', secretAccessKey: 'model' },
        maxAttempts: 1,
        requestHandler: { handle },
    });
}
function soon(_delayMs, action) {
    const timer = setImmediate(action);
    return () => clearImmediate(timer);
}
