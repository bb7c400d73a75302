import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import type { HttpRequest } from '@smithy/types';
import { createRandom } from '../../../evidence/kit/random.ts';
import { DynamoDb } from '../../../evidence/simulation/dynamodb/service.ts';
import { Table } from '../../../evidence/simulation/dynamodb/table.ts';
import type { Answer } from '../../../evidence/simulation/service.ts';

/** A real client over the model of DynamoDB: an empty table, in a world without faults. */
export function createModelClient(): DynamoDBClient {
  const random = createRandom(1, 'model');
  const model = new DynamoDb({
    table: new Table(random, Date.now, () => {}),
    time: { nowMs: Date.now(), after: schedule },
    random,
    faults: { happens: () => false },
    statistics: { add: () => {} },
    weather: { throttleRate: 0 },
  });
  const handle = async ({ headers, body }: HttpRequest) => {
    const operation = (headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    const input: unknown = JSON.parse(new TextDecoder().decode(body));
    const answer = await new Promise<Answer>((resolve) => model.handle(operation, input, resolve));
    return { response: toResponse(answer) };
  };
  return new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'model', secretAccessKey: 'model' },
    maxAttempts: 1,
    requestHandler: { handle },
  });
}

function schedule(delayMs: number, action: () => void): () => void {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
}

function toResponse({ status, body }: Answer): HttpResponse {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return new HttpResponse({ statusCode: status, headers, body: Buffer.from(body) });
}
