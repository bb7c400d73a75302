import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { afterEach, expect, test, vi } from 'vitest';
import { VisitorUnion } from '../../../lib/clicks/visitor-union.ts';
import {
  type Answer,
  answerInTurn,
  answerJson,
  startScriptedService,
} from '../../helpers/scripted-service.ts';
import { timeoutInTime } from '../../helpers/unhurried.ts';

const visit = { code: 'spring', day: '2026-05-26', mark: 33 };
const nothingStored = answerJson(200, { Responses: { clicks: [] } });
const written = answerJson(200, { Attributes: { PK: { S: 'LINK#spring' } } });
const noResponse: Answer = () => undefined;

afterEach(() => vi.restoreAllMocks());

test('a visitor whose write got no response is written again before the deadline', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeoutInTime);
  const { url, bodies } = await startScriptedService(
    answerInTurn(nothingStored, noResponse, written),
  );
  const client = createCommitClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const table = { client: DynamoDBDocumentClient.from(client), tableName: 'clicks' };

  await new VisitorUnion(table).add(visit, Date.now() + 600_000);

  expect(bodies).toHaveLength(3);
  expect(bodies[2]).toEqual(bodies[1]);
});
