import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeContext } from '../../../evidence/kit/lambda-context.ts';
import { makeBatch } from '../../../evidence/kit/sqs-events.ts';
import { stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { startTable, type TestTable } from '../../helpers/engine.ts';
import { recordOutput } from '../../helpers/output.ts';

const click = (id: string) =>
  JSON.stringify({ id, detail: { code: 'code', at: '2026-01-15T10:00:00Z' } });

let table: TestTable;
let document: DynamoDBDocumentClient;
let createHandler: typeof import('../../../functions/aggregate-clicks-hand-rolled.ts').createHandler;

beforeAll(async () => {
  table = await startTable();
  document = DynamoDBDocumentClient.from(table.client);
  stubAwsEnvironment({
    TABLE_NAME: table.tableName,
    MAX_RECEIVE_COUNT: '3',
    BUS_RETRY_SECONDS: '1',
    QUEUE_RETENTION_SECONDS: '1',
    DEAD_LETTER_RETENTION_SECONDS: '1',
  });
  ({ createHandler } = await import('../../../functions/aggregate-clicks-hand-rolled.ts'));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await table?.stop();
});

test('the hand-rolled aggregator counts clicks and reports the same metrics', async () => {
  const key = { PK: 'LINK#code', SK: 'META' };
  const Item = { ...key, url: 'https://example.com', clicks: 0 };
  await document.send(new PutCommand({ TableName: table.tableName, Item }));
  const handler = createHandler(table.client);
  const output = recordOutput();

  const response = await handler(
    makeBatch([click('one'), click('two'), click('one'), 'no JSON'], 3),
    makeContext(),
  );

  const lines = output.lines();
  output.undo();
  expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-3' }] });
  const link = await document.send(new GetCommand({ TableName: table.tableName, Key: key }));
  expect(link.Item).toMatchObject({ clicks: 2 });
  expect(lines.find((line) => '_aws' in line)).toMatchObject({
    ClicksCounted: 2,
    DuplicateClicks: 1,
    FailedClicks: 1,
    DeadLetters: 1,
  });
  expect(lines.find(({ message }) => message === 'click not counted')).toMatchObject({
    messageId: 'message-3',
    attempt: 3,
  });
});
